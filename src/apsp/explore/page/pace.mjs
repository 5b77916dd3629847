// Which of two ways draws the streets while something moves: WebGL, until its pictures come late; then without it
// (`pixels.mjs`), if they come sooner so.

const LATE = 20; // milliseconds from a picture to when the browser can take the next one
const PATIENCE = 6; // a late picture adds 2, another one takes 1 away
const SOONER = 0.8; // of the time with WebGL

export class Pace {
  constructor() {
    Object.assign(this, { plain: false, late: 0, patience: PATIENCE, times: [0, 0] });
  }

  took(milliseconds, plainly) {
    const { times } = this, way = Number(plainly);
    times[way] = times[way] ? times[way] + (milliseconds - times[way]) / 4 : milliseconds;
    if (plainly !== this.plain) return;
    this.late = Math.max(0, this.late + (milliseconds > LATE ? 2 : -1));
    if (this.late < this.patience) return;
    this.late = 0;
    if (!this.plain) [this.plain, times[1]] = [true, 0];
    else if (times[1] > SOONER * times[0]) {
      this.plain = false; // the screen or other programs are slow, not WebGL: the next trial comes later
      this.patience *= 2;
    }
  }
}
