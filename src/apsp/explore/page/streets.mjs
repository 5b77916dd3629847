// The streets in WebGL2. Points, segments and distances lie in textures; a vertex of the picture knows its number alone.
// Segments are lines one pixel wide, or two triangles each where streets are wider.

import { blocksOf } from "./segments.mjs";

const ACROSS = 2048; // of all textures
const THIN = 1.25; // pixels: narrower streets are lines

const COMMON = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D distances, points;
uniform usampler2D ends, segments;
uniform uint vertices;
uniform vec2 middle, perStep, size;
uniform float halfWidth;
out float distance;
ivec2 place(uint number) { return ivec2(number % ${ACROSS}u, number / ${ACROSS}u); }
vec3 point(uint number) { return texelFetch(points, place(number), 0).xyz; }
vec2 onScreen(vec3 at) { return (at.xy - middle) * perStep; }
float distanceAt(uint number, float share) {
  if (number < vertices) return texelFetch(distances, place(number), 0).r;
  uvec2 both = texelFetch(ends, place(number - vertices), 0).rg;
  return mix(texelFetch(distances, place(both.x), 0).r, texelFetch(distances, place(both.y), 0).r, share);
}`;

const LINES = `${COMMON}
void main() {
  uint number = uint(gl_VertexID);
  vec3 at = point(number);
  distance = distanceAt(number, at.z);
  gl_Position = vec4(onScreen(at), 0.0, 1.0);
}`;

const TRIANGLES = `${COMMON}
const vec2 CORNERS[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(0, 1), vec2(0, 1), vec2(1, -1), vec2(1, 1));
void main() {
  uvec2 both = texelFetch(segments, place(uint(gl_VertexID) / 6u), 0).rg;
  vec2 corner = CORNERS[gl_VertexID % 6];
  vec3 from = point(both.x), to = point(both.y);
  vec2 begin = onScreen(from), end = onScreen(to), along = (end - begin) * size;
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-6);
  bool far = corner.x > 0.5;
  distance = far ? distanceAt(both.y, to.z) : distanceAt(both.x, from.z);
  gl_Position = vec4((far ? end : begin) + across * corner.y * halfWidth * 2.0 / size, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D colours;
uniform float top, limit, bands;
uniform vec4 faint;
in float distance;
out vec4 colour;
void main() {
  float share = clamp(distance / top, 0.0, 1.0);
  if (bands > 0.0) share = (min(floor(share * bands), bands - 1.0) + 0.5) / bands;
  colour = distance > limit ? faint : texture(colours, vec2(share * 255.0 / 256.0 + 0.5 / 256.0, 0.5));
}`;

const TEXTURES = ["distances", "points", "ends", "segments", "colours"];

// A distance in the texture where there is no path: longer than any limit of a style.
export const NO_PATH = 1e30;
const MOST = 1e28;

export class Streets {
  constructor(canvas, segments) {
    const options = { antialias: segments.count < 100000, alpha: false, depth: false, preserveDrawingBuffer: true };
    const gl = canvas.getContext("webgl2", options);
    if (!gl) throw new Error("this browser has no WebGL2");
    Object.assign(this, { canvas, gl, n: segments.n, blocks: blocksOf(segments), segments });
    this.programs = {};
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.#fill("points", gl.RGB32F, gl.RGB, gl.FLOAT, segments.points, 3);
    this.#fill("ends", gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, segments.ends, 2);
    this.#fill("distances", gl.R32F, gl.RED, gl.FLOAT, new Float32Array(this.n).fill(NO_PATH), 1);
    this.#bind("colours");
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 256, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, segments.joined, gl.STATIC_DRAW);
  }

  // (n) distances, NO_PATH where there is no path.
  take(distances) {
    this.gl.activeTexture(this.gl.TEXTURE0 + TEXTURES.indexOf("distances"));
    this.#rows(this.gl.RED, this.gl.FLOAT, distances, 1);
  }

  takeColours(colours) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + TEXTURES.indexOf("colours"));
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, colours);
  }

  // Style: top, limit, bands; faint and page, colours as three shares each; width in pixels of the window.
  draw(view, style, ratio) {
    const { gl, canvas } = this, width = style.width * ratio, thin = width <= THIN;
    const at = this.#used(thin ? LINES : TRIANGLES);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...style.page, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform1ui(at.vertices, this.n);
    gl.uniform2f(at.middle, view.x, view.y);
    gl.uniform2f(at.perStep, (2 * view.scale) / view.width, (2 * view.scale) / view.height);
    gl.uniform2f(at.size, canvas.width, canvas.height);
    gl.uniform1f(at.halfWidth, width / 2);
    gl.uniform1f(at.top, style.top);
    gl.uniform1f(at.limit, Math.min(style.limit, MOST));
    gl.uniform1f(at.bands, style.bands);
    gl.uniform4f(at.faint, ...style.faint, 1);
    const [left, low] = view.toPlane(0, view.height), [right, high] = view.toPlane(view.width, 0);
    for (const block of this.blocks) {
      if (block.right < left || block.left > right || block.high < low || block.low > high) continue;
      if (thin) gl.drawElements(gl.LINES, 2 * block.count, gl.UNSIGNED_INT, 8 * block.first);
      else gl.drawArrays(gl.TRIANGLES, 6 * block.first, 6 * block.count);
    }
  }

  // The program of these vertices, in use, and where its numbers go; it is compiled when it is first needed.
  #used(vertex) {
    const { gl } = this;
    const made = (this.programs[vertex] ??= linked(gl, vertex));
    gl.useProgram(made.program);
    if (vertex === TRIANGLES && !this.hasSegments) {
      this.#fill("segments", gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, this.segments.joined, 2);
      this.hasSegments = true;
    }
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
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + TEXTURES.indexOf(name));
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const key of ["MIN_FILTER", "MAG_FILTER"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${key}`], gl.NEAREST);
    for (const key of ["WRAP_S", "WRAP_T"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${key}`], gl.CLAMP_TO_EDGE);
  }
}

function linked(gl, vertex) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  TEXTURES.forEach((name, unit) => gl.uniform1i(gl.getUniformLocation(program, name), unit));
  const names = ["vertices", "middle", "perStep", "size", "halfWidth", "top", "limit", "bands", "faint"];
  return { program, at: Object.fromEntries(names.map(name => [name, gl.getUniformLocation(program, name)])) };
}
