/** Sizes of the plots of a wall. On a screen of 1920 x 1080 some 80, 40 and 20 plots are wholly visible. */
export const WALL_SIZES = {
  /** Minimum width, height and distance of plots, in CSS pixels. */
  S: { width: 148, height: 88, gap: 8 },
  M: { width: 190, height: 146, gap: 10 },
  L: { width: 215, height: 250, gap: 12 },
} as const;
export type WallSize = keyof typeof WALL_SIZES;

/** Minimum height of a plot with a ratio below it. */
export const RATIO_HEIGHT = 200;

/** Returns how many plots lie side by side in a width, and how wide each is. */
export function columnsIn(width: number, size: WallSize): { columns: number; each: number } {
  const { width: least, gap } = WALL_SIZES[size];
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  return { columns, each: (width + gap) / columns - gap };
}
