// Scales of colours that people with any colour vision can read: lightness alone tells two values apart.

const SCALES = {
  viridis: ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"],
  cividis: ["#00224e", "#1f3a6f", "#434e6c", "#62656f", "#7d7c78", "#9b9476", "#bcae6c", "#dec958", "#fee838"],
  greys: ["#1c1c1c", "#343434", "#4e4e4e", "#696969", "#858585", "#a2a2a2", "#bfbfbf", "#dddddd", "#f6f6f6"],
};

// 256 colours (RGBA) from near to far: what is near stands out most from the page.
export function palette(scale, dark) {
  const stops = SCALES[scale].map(text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16)));
  const colours = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const share = i / 255, at = (dark ? 1 - 0.8 * share : 0.86 * share) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at)), part = at - low;
    for (let c = 0; c < 3; c++) colours[4 * i + c] = Math.round(stops[low][c] * (1 - part) + stops[low + 1][c] * part);
    colours[4 * i + 3] = 255;
  }
  return colours;
}

// The least of 1, 2, 2.5 and 5 times a power of ten that is not below the value.
export function rounded(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map(step => step * power).find(each => each >= value * (1 - 1e-9));
}
