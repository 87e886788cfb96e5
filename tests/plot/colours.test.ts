import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DARK_PALETTE, lineInk, PALETTE } from '../../web/plot/drawing/drawing';

type Triple = [number, number, number];

// How those see who lack one kind of cones, in linear sRGB: Machado, Oliveira and Fernandes, IEEE Transactions on
// Visualization and Computer Graphics 15 (2009) 1291, severity 1.
const eyes: Record<string, Triple[]> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Oklab, by Björn Ottosson's matrices: distances are about as people see them. */
function seen(hex: string, by: Triple[]): Triple {
  const rgb = by.map((row) => Math.max(0, dot(row, linear(hex)))) as Triple;
  const lms = (
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ] as Triple[]
  ).map((row) => Math.cbrt(dot(row, rgb))) as Triple;
  return (
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ] as Triple[]
  ).map((row) => dot(row, lms)) as Triple;
}

const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], linear(hex));

describe.each([
  ['light', PALETTE],
  ['dark', DARK_PALETTE],
])('lines of the %s theme', (theme, palette) => {
  const colours = Array.from({ length: 6 }, (_, i) => palette[lineInk(i)]);

  it.each(Object.entries(eyes))('are told apart with %s', (_, by) => {
    const places = colours.map((colour) => seen(colour, by));
    places.forEach((a, i) => {
      places.slice(i + 1).forEach((b, k) => {
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        // Two files are compared most often, three things sometimes.
        const least = i + k + 1 === 1 ? 0.15 : i + k + 1 === 2 ? 0.11 : 0.05;
        expect(distance, `${colours[i]} and ${colours[i + k + 1]}`).toBeGreaterThan(least);
      });
    });
  });

  it('stand out from the ground', () => {
    const ground = luminance(palette.paper);
    for (const colour of colours) {
      const [high, low] = [luminance(colour), ground].sort((a, b) => b - a) as [number, number];
      expect((high + 0.05) / (low + 0.05), colour).toBeGreaterThan(3);
    }
  });

  it('are those of the page', () => {
    const css = readFileSync(resolve(import.meta.dirname, '../../web/ui/styles/frame.css'), 'utf8');
    const part = css.split('.xylem[data-theme="dark"] {')[theme === 'dark' ? 1 : 0] ?? '';
    colours.forEach((colour, i) => {
      const name = `plot-line${i === 0 ? '' : `-${i + 1}`}`;
      expect(part).toContain(`--${name}: var(--xylem-${name}, ${colour})`);
    });
  });
});
