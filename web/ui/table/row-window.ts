/** Maximum height of an element. Browsers cannot draw more than about 16 million pixels. */
const MAX_HEIGHT = 4_000_000;

/** Maps a scroll bar of bounded length to any number of rows. */
export interface RowWindow {
  /** Height of the scrolled area, in CSS pixels. */
  height: number;
  /**
   * Whether the scroll bar is shorter than the rows, so that one of its pixels corresponds to several pixels of rows.
   */
  scaled: boolean;
  /** Returns the first row to show at a scroll position, and how many pixels of it are scrolled out of view. */
  at(scrollTop: number): { row: number; offset: number };
  /** Returns the scroll position at which `row` is the first one. */
  topOf(row: number): number;
}

/** Returns the mapping for rows of `rowHeight` pixels in a view of `viewHeight` pixels. */
export function rowWindow(rows: number, rowHeight: number, viewHeight: number): RowWindow {
  const whole = rows * rowHeight;
  const scaled = whole > MAX_HEIGHT;
  const height = scaled ? MAX_HEIGHT : whole;
  const lastTop = Math.max(0, height - viewHeight);
  const lastRow = Math.max(0, rows - Math.floor(viewHeight / rowHeight));
  if (!scaled) {
    return {
      height,
      scaled,
      at: (top) => {
        const row = Math.min(Math.floor(Math.max(0, top) / rowHeight), Math.max(0, rows - 1));
        return { row, offset: Math.max(0, top) - row * rowHeight };
      },
      topOf: (row) => Math.min(lastTop, row * rowHeight),
    };
  }
  return {
    height,
    scaled,
    at: (top) => ({ row: Math.min(lastRow, Math.round((top / lastTop) * lastRow)), offset: 0 }),
    topOf: (row) => (Math.min(row, lastRow) / lastRow) * lastTop,
  };
}
