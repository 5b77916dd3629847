// The document.

export const byId = name => document.getElementById(name);
export const dark = matchMedia("(prefers-color-scheme: dark)");

function shares(text) {
  return [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16) / 255);
}

export const isDark = () => (byId("theme").value === "system" ? dark.matches : byId("theme").value === "dark");

export function coloursOfPage() {
  const style = getComputedStyle(document.documentElement);
  const css = Object.fromEntries(["page", "ink", "faint", "accent"].map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { css, page: shares(css.page), faint: shares(css.faint) };
}

export const nextFrame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
