import { oklchToRgb } from './colour-scale';

export type Rgb = readonly [red: number, green: number, blue: number];

/** The hue of a branch by its place in the tree, "#rrggbb". */
export function branchColour(index: number, branches: number, dark: boolean): string {
  return hexOf(branchRgb(index, branches, dark));
}

/** Adjacent branches differ slightly in hue, and every second one in lightness, so that they can be distinguished. */
export function branchRgb(index: number, branches: number, dark: boolean): Rgb {
  const hue = 20 + (320 * index) / Math.max(1, branches);
  const lightness = (dark ? 0.6 : 0.76) + (index % 2 === 0 ? 0.05 : -0.05);
  return oklchToRgb(lightness, 0.11, hue);
}

export function hexOf([red, green, blue]: Rgb): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}
