import { lastAtMost } from '../../../base/search';

/**
 * The colours of a file from its first to its last byte, at several levels of detail. Each level has the means of
 * pairs of the previous one. Alpha is the coloured fraction of a texel, and never 0 if anything is there.
 */
export interface MapTexture {
  /** Number of bytes of the file in one texel of level 0. */
  texelBytes: number;
  /** R, G, B, A of each texel, level by level. */
  levels: Uint8ClampedArray[];
}

/**
 * Maximum number of texels: more than the pixels of a map on a screen. At higher zoom segments are drawn directly.
 */
const MAX_TEXELS = 2 ** 18;
const MIN_BYTES = 64;

/**
 * `start` are the boundaries of segments (one more than colours), colours are packed R, G, B, A; 0 is none.
 */
export function mapTexture(start: Float64Array, colours: Uint32Array): MapTexture {
  const size = start[colours.length] ?? 0;
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, size / MIN_BYTES)));
  const count = Math.min(MAX_TEXELS, wanted);
  const texelBytes = size / count;
  const base = new Uint8ClampedArray(count * 4);
  // The texel in progress: its coloured bytes, and their colours weighted by bytes.
  let texel = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  let weight = 0;
  for (let i = 0; i < colours.length; i++) {
    const colour = colours[i] ?? 0;
    const end = start[i + 1] ?? size;
    for (let at = start[i] ?? 0; at < end; ) {
      const border = texel + 1 >= count ? size : (texel + 1) * texelBytes;
      const stop = end < border ? end : border;
      if (colour !== 0) {
        const bytes = stop - at;
        red += bytes * (colour & 255);
        green += bytes * ((colour >> 8) & 255);
        blue += bytes * ((colour >> 16) & 255);
        weight += bytes;
      }
      at = stop;
      if (stop < border) continue;
      if (weight > 0) {
        const place = texel * 4;
        base[place] = red / weight;
        base[place + 1] = green / weight;
        base[place + 2] = blue / weight;
        base[place + 3] = Math.max(1, (255 * weight) / texelBytes);
        red = green = blue = weight = 0;
      }
      texel++;
    }
  }
  const levels: Uint8ClampedArray[] = [base];
  for (let last: Uint8ClampedArray = base; last.length > 4; ) {
    last = halve(last);
    levels.push(last);
  }
  return { texelBytes, levels };
}

function halve(fine: Uint8ClampedArray): Uint8ClampedArray {
  const coarse = new Uint8ClampedArray(fine.length / 2);
  for (let at = 0; at < coarse.length; at += 4) {
    const left = 2 * at;
    const a = fine[left + 3] ?? 0;
    const b = fine[left + 7] ?? 0;
    const sum = a + b;
    if (sum === 0) continue;
    coarse[at] = ((fine[left] ?? 0) * a + (fine[left + 4] ?? 0) * b) / sum;
    coarse[at + 1] = ((fine[left + 1] ?? 0) * a + (fine[left + 5] ?? 0) * b) / sum;
    coarse[at + 2] = ((fine[left + 2] ?? 0) * a + (fine[left + 6] ?? 0) * b) / sum;
    coarse[at + 3] = Math.max(1, sum / 2);
  }
  return coarse;
}

/** The part of a file that is shown: rows of bytes, the first from `from` on. */
export interface MapWindow {
  from: number;
  rowBytes: number;
  rows: number;
  /** Pixels of a row. */
  width: number;
}

export interface MapLayer {
  start: Float64Array;
  colours: Uint32Array;
  texture: MapTexture;
}

export function mapLayer(start: Float64Array, colours: Uint32Array): MapLayer {
  return { start, colours, texture: mapTexture(start, colours) };
}

/**
 * Returns the pixels of a window, row by row, as packed R, G, B, A; 0 after the end of the file. A pixel with a
 * chosen part shows it with at least half strength.
 */
export function mapPixels(window: MapWindow, base: MapLayer, chosen?: MapLayer | undefined): Uint32Array {
  const pixels = layerPixels(window, base);
  if (chosen === undefined) return pixels;
  const over = layerPixels(window, chosen);
  for (let i = 0; i < pixels.length; i++) {
    const top = over[i] ?? 0;
    const alpha = top >>> 24;
    if (alpha === 0) continue;
    const share = Math.max(0.5, alpha / 255);
    pixels[i] = mixed(pixels[i] ?? 0, top, share);
  }
  return pixels;
}

/** Mixes two packed colours: `share` of `top` over `under`. */
function mixed(under: number, top: number, share: number): number {
  const red = (under & 255) * (1 - share) + (top & 255) * share;
  const green = ((under >> 8) & 255) * (1 - share) + ((top >> 8) & 255) * share;
  const blue = ((under >> 16) & 255) * (1 - share) + ((top >> 16) & 255) * share;
  return ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

function layerPixels(window: MapWindow, layer: MapLayer): Uint32Array {
  const { rows, width, rowBytes, from } = window;
  const pixels = new Uint32Array(rows * width);
  const pixelBytes = rowBytes / width;
  const size = layer.start[layer.colours.length] ?? 0;
  if (pixelBytes < layer.texture.texelBytes) {
    exactPixels(window, layer, size, pixels);
    return pixels;
  }
  const { levels, texelBytes } = layer.texture;
  const level = Math.min(levels.length - 1, Math.floor(Math.log2(pixelBytes / texelBytes)));
  const texels = levels[level] ?? new Uint8ClampedArray(4);
  const bytes = texelBytes * 2 ** level;
  const last = texels.length / 4 - 1;
  for (let i = 0; i < pixels.length; i++) {
    const at = from + i * pixelBytes;
    if (at >= size) break;
    if (at < 0) continue;
    const first = Math.floor(at / bytes);
    const end = Math.min(last, Math.max(first, Math.ceil((at + pixelBytes) / bytes) - 1));
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let t = first; t <= end; t++) {
      const a = texels[4 * t + 3] ?? 0;
      red += a * (texels[4 * t] ?? 0);
      green += a * (texels[4 * t + 1] ?? 0);
      blue += a * (texels[4 * t + 2] ?? 0);
      alpha += a;
    }
    if (alpha === 0) continue;
    const a = Math.max(1, Math.round(alpha / (end - first + 1)));
    pixels[i] =
      ((a << 24) |
        (Math.round(blue / alpha) << 16) |
        (Math.round(green / alpha) << 8) |
        Math.round(red / alpha)) >>>
      0;
  }
  return pixels;
}

/** Draws a close-up: each pixel has the colour of the coloured segment with the largest part in it. */
function exactPixels(
  { from, rowBytes, width }: MapWindow,
  { start, colours }: MapLayer,
  size: number,
  pixels: Uint32Array,
): void {
  const pixelBytes = rowBytes / width;
  let segment = lastAtMost(start, colours.length, Math.max(0, from));
  for (let i = 0; i < pixels.length; i++) {
    const at = from + i * pixelBytes;
    if (at >= size) break;
    if (at < 0) continue;
    const end = at + pixelBytes;
    while (segment + 1 < colours.length && (start[segment + 1] ?? 0) <= at) segment++;
    let best = 0;
    let most = 0;
    for (let s = segment; s < colours.length && (start[s] ?? 0) < end; s++) {
      const bytes = Math.min(end, start[s + 1] ?? size) - Math.max(at, start[s] ?? 0);
      if (bytes > most && colours[s] !== 0) {
        most = bytes;
        best = colours[s] ?? 0;
      }
    }
    pixels[i] = best;
  }
}
