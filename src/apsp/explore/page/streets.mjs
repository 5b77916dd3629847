// The streets in WebGL2, in two steps. When the view changes, each pixel learns which segment covers it, and where on its
// way. When distances or colours change, each pixel reads them there: the time does not depend on the number of streets.
//
// Points, segments and distances lie in textures. Segments are lines one pixel wide, or strips with round ends where
// streets are wider.

import { Pixels } from "./pixels.mjs";
import { blocksOf } from "./segments.mjs";

const BITS = 11, ACROSS = 1 << BITS; // of all textures
const THIN = 1.25; // pixels: narrower streets are lines

const SHARED = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D points;
uniform usampler2D segments;
ivec2 place(uint number) { return ivec2(number & ${ACROSS - 1}u, number >> ${BITS}); }
vec3 point(uint number) { return texelFetch(points, place(number), 0).xyz; }
uvec2 segment(uint number) { return texelFetch(segments, place(number), 0).rg; }
`;

const VIEW = `${SHARED}
uniform vec2 middle, perStep, size;
uniform float halfWidth;
flat out uint number;
flat out float whole;
out vec2 spot;
vec2 onScreen(vec3 at) { return (at.xy - middle) * perStep * size * 0.5; }
`;

const LINES = `${VIEW}
void main() {
  number = uint(gl_VertexID) / 2u;
  uvec2 ends = segment(number);
  vec2 from = onScreen(point(ends.x)), to = onScreen(point(ends.y));
  bool far = gl_VertexID % 2 == 1;
  whole = max(length(to - from), 1e-6);
  spot = vec2(far ? whole : 0.0, 0.0);
  gl_Position = vec4((far ? to : from) * 2.0 / size, 0.0, 1.0);
}`;

const STRIPS = `${VIEW}
const vec2 CORNERS[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(0, 1), vec2(0, 1), vec2(1, -1), vec2(1, 1));
void main() {
  number = uint(gl_VertexID) / 6u;
  uvec2 ends = segment(number);
  vec2 corner = CORNERS[gl_VertexID % 6], from = onScreen(point(ends.x)), to = onScreen(point(ends.y));
  whole = max(length(to - from), 1e-6);
  vec2 along = length(to - from) > 1e-6 ? (to - from) / whole : vec2(1, 0), across = vec2(-along.y, along.x);
  float room = halfWidth + 0.5;
  spot = vec2(mix(-room, whole + room, corner.x), corner.y * room);
  gl_Position = vec4((from + along * spot.x + across * spot.y) * 2.0 / size, 0.0, 1.0);
}`;

// The number of the segment, from 1; the share of its length (16 bits) and of the pixel that it covers (16 bits).
const COVERED = `#version 300 es
precision highp float;
precision highp int;
uniform float halfWidth;
flat in uint number;
flat in float whole;
in vec2 spot;
layout(location = 0) out uvec2 covered;
void main() {
  vec2 away = vec2(max(max(-spot.x, spot.x - whole), 0.0), spot.y);
  float share = clamp(halfWidth + 0.5 - length(away), 0.0, 1.0);
  if (share <= 0.0) discard;
  covered = uvec2(number + 1u, uint(clamp(spot.x / whole, 0.0, 1.0) * 65535.0) << 16 | uint(share * 65535.0));
  gl_FragDepth = 1.0 - share;
}`;

const EVERYWHERE = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`;

const COLOURED = `${SHARED}
uniform sampler2D distances, colours;
uniform usampler2D ends, pixels;
uniform uint vertices;
uniform float top, low, limit, bands;
uniform vec3 faint, page;
out vec4 colour;
// In two products: one may be NO_PATH, beside which the other is lost in the sums that "mix" may be.
float between(float one, float two, float share) { return one * (1.0 - share) + two * share; }
float distanceAt(uint number) {
  if (number < vertices) return texelFetch(distances, place(number), 0).r;
  uvec2 both = texelFetch(ends, place(number - vertices), 0).rg;
  return between(texelFetch(distances, place(both.x), 0).r, texelFetch(distances, place(both.y), 0).r, point(number).z);
}
void main() {
  uvec2 pixel = texelFetch(pixels, ivec2(gl_FragCoord.xy), 0).rg;
  colour = vec4(page, 1.0);
  if (pixel.x == 0u) return;
  uvec2 both = segment(pixel.x - 1u);
  float distance = between(distanceAt(both.x), distanceAt(both.y), float(pixel.y >> 16) / 65535.0);
  float share = clamp(distance / top, 0.0, 1.0);
  if (bands > 0.0) share = (min(floor(share * bands), bands - 1.0) + 0.5) / bands;
  vec3 own = distance > limit || distance < low ? faint : texelFetch(colours, ivec2(share * 255.0 + 0.5, 0), 0).rgb;
  colour.rgb = mix(page, own, float(pixel.y & 65535u) / 65535.0);
}`;

const TEXTURES = ["distances", "points", "ends", "segments", "colours", "pixels"];
const UNIFORMS = ["vertices", "middle", "perStep", "size", "halfWidth", "top", "low", "limit", "bands", "faint", "page"];

// A distance in the texture where there is no path: so long that also the rest of a street to there, of which a pixel
// knows 65535 parts, is longer than any limit of a style.
export const NO_PATH = 2 ** 126;
const MOST = 1e28;

export class Streets {
  // canvas: of WebGL; plain: the one that shows the streets without it.
  constructor(canvas, plain, segments) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false });
    if (!gl) throw new Error("this browser has no WebGL2");
    Object.assign(this, { canvas, plain, gl, segments, n: segments.n, blocks: blocksOf(segments), programs: new Map() });
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.#fill("points", gl.RGB32F, gl.RGB, gl.FLOAT, segments.points, 3);
    this.#fill("ends", gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, segments.ends, 2);
    this.#fill("segments", gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, segments.joined, 2);
    this.distances = new Float32Array(this.n).fill(NO_PATH);
    this.#fill("distances", gl.R32F, gl.RED, gl.FLOAT, this.distances, 1);
    this.#bind("colours");
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 256, 1);
    this.framebuffer = gl.createFramebuffer();
    gl.depthFunc(gl.LESS);
  }

  // (n) distances, NO_PATH where there is no path. They are read when they are drawn.
  take(distances) {
    this.distances = this.waiting = distances;
  }

  takeColours(colours) {
    const { gl } = this;
    this.colours = colours;
    gl.activeTexture(gl.TEXTURE0 + TEXTURES.indexOf("colours"));
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, colours);
  }

  // Style: top, bands; low and limit, between which streets have colours; faint and page, colours as three shares each;
  // width in pixels of the window. Without WebGL if `plainly`. Whether the segment of each pixel was known.
  draw(view, style, ratio, plainly = false) {
    const { gl, canvas, plain } = this, width = style.width * ratio;
    const bounded = { ...style, low: Math.max(style.low, -MOST), limit: Math.min(style.limit, MOST) };
    const seen = [view.x, view.y, view.scale, view.width, view.height, canvas.width, canvas.height, width].join();
    const known = seen === this.seen;
    gl.viewport(0, 0, canvas.width, canvas.height);
    if (!known) this.#cover(view, width);
    this.seen = seen;
    plain.hidden = !plainly;
    if (plainly) this.#drawPlainly(bounded);
    else this.#drawAll(bounded);
    return known;
  }

  #drawAll(style) {
    const { gl } = this;
    if (this.waiting) {
      gl.activeTexture(gl.TEXTURE0 + TEXTURES.indexOf("distances"));
      this.#rows(gl.RED, gl.FLOAT, this.waiting, 1);
      this.waiting = null;
    }
    const at = this.#used(EVERYWHERE, COLOURED);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.DEPTH_TEST);
    gl.uniform1ui(at.vertices, this.n);
    for (const name of ["top", "low", "limit", "bands"]) gl.uniform1f(at[name], style[name]);
    gl.uniform3f(at.faint, ...style.faint);
    gl.uniform3f(at.page, ...style.page);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // The pixels of a view are read once.
  #drawPlainly(style) {
    const { gl, plain } = this, { width, height } = this.canvas;
    if (!this.read) {
      const covered = new Uint32Array(4 * width * height);
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
      gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, covered);
      this.read = new Pixels(covered, width, height, this.segments);
      this.image = new ImageData(new Uint8ClampedArray(this.read.words.buffer), width, height);
      Object.assign(plain, { width, height });
    }
    this.read.colour(this.distances, style, this.colours);
    plain.getContext("2d", { alpha: false }).putImageData(this.image, 0, 0);
  }

  // Finds the segment of each pixel.
  #cover(view, width) {
    const { gl, canvas } = this, thin = width <= THIN;
    this.read = null;
    this.#resize();
    const at = this.#used(thin ? LINES : STRIPS, COVERED);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.enable(gl.DEPTH_TEST);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
    gl.uniform2f(at.middle, view.x, view.y);
    gl.uniform2f(at.perStep, (2 * view.scale) / view.width, (2 * view.scale) / view.height);
    gl.uniform2f(at.size, canvas.width, canvas.height);
    gl.uniform1f(at.halfWidth, thin ? 0.5 : width / 2);
    const [left, low] = view.toPlane(0, view.height), [right, high] = view.toPlane(view.width, 0);
    for (const block of this.blocks) {
      if (block.right < left || block.left > right || block.high < low || block.low > high) continue;
      if (thin) gl.drawArrays(gl.LINES, 2 * block.first, 2 * block.count);
      else gl.drawArrays(gl.TRIANGLES, 6 * block.first, 6 * block.count);
    }
  }

  // The texture of pixels has the size of the canvas.
  #resize() {
    const { gl, canvas } = this, size = `${canvas.width} ${canvas.height}`;
    if (size === this.size) return;
    this.size = size;
    gl.deleteTexture(this.pixels);
    gl.deleteRenderbuffer(this.depths);
    this.pixels = this.#bind("pixels");
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RG32UI, canvas.width, canvas.height);
    this.depths = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.depths);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, canvas.width, canvas.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.pixels, 0);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, this.depths);
  }

  // A program in use, and where its numbers go; it is compiled when it is first needed.
  #used(vertex, fragment) {
    if (!this.programs.has(vertex)) this.programs.set(vertex, linked(this.gl, vertex, fragment));
    const made = this.programs.get(vertex);
    this.gl.useProgram(made.program);
    return made.at;
  }

  #fill(name, stored, format, type, values, size) {
    this.#bind(name);
    const rows = Math.max(1, Math.ceil(values.length / size / ACROSS));
    this.gl.texStorage2D(this.gl.TEXTURE_2D, 1, stored, ACROSS, rows);
    this.#rows(format, type, values, size);
  }

  // Writes the texture in use: whole rows, and a part of the last.
  #rows(format, type, values, size) {
    const { gl } = this, count = values.length / size, whole = Math.floor(count / ACROSS), rest = count - whole * ACROSS;
    if (whole) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ACROSS, whole, format, type, values);
    if (rest) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, type, values, whole * ACROSS * size);
  }

  #bind(name) {
    const { gl } = this, texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + TEXTURES.indexOf(name));
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const key of ["MIN_FILTER", "MAG_FILTER"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${key}`], gl.NEAREST);
    for (const key of ["WRAP_S", "WRAP_T"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${key}`], gl.CLAMP_TO_EDGE);
    return texture;
  }
}

function linked(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  TEXTURES.forEach((name, unit) => gl.uniform1i(gl.getUniformLocation(program, name), unit));
  return { program, at: Object.fromEntries(UNIFORMS.map(name => [name, gl.getUniformLocation(program, name)])) };
}
