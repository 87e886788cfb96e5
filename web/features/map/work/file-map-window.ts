import type { MapPlace, MapRows } from './file-map-place';

const MEGABYTE = 1e6;
const MIN_ROW_BYTES = 64;
/** Pixels left of the rows, for the labels. */
export const GUTTER = 58;
/** Pixels of a strip of reads, with those between it and the strip above. */
export const STRIP_HEIGHT = 5;
/** A place that is shown fills about this part of the map. */
const PLACE_SHARE = 0.3;

/** The part of the file that the map shows, as rows of bytes. */
export interface MapWindow {
  /** First byte that is shown. */
  readonly from: number;
  readonly rowBytes: number;
  readonly rowHeight: number;
  readonly rows: number;
  /** Pixels of a row. */
  readonly width: number;
  /** The byte after the last one that is shown; past the end of the file if rows are empty. */
  readonly end: number;
  /** Chooses rows for an element of this size, keeping the zoom. */
  fit(size: { width: number; height: number }, kind: MapRows, strips: number): void;
  /** Moves the window by this many bytes. Returns false when it was at its end already. */
  move(bytes: number): boolean;
  moveTo(byte: number): void;
  /** Zooms by a factor; the byte stays at its place on the screen. */
  zoomAt(factor: number, byte: number): void;
  /** Zooms to a place of the file and its surroundings. */
  show(place: MapPlace): void;
  showWhole(): void;
  /** The byte in the middle of the window. */
  middle(): number;
  /** Pixel at which a byte is drawn. */
  placeOf(byte: number): [x: number, y: number];
  /** The byte at a pixel; undefined beside the rows and after the end of the file. */
  byteAt(x: number, y: number): number | undefined;
}

export function createMapWindow(size: number): MapWindow {
  let kind: MapRows = 'fitted';
  let from = 0;
  /** Bytes of a row when the whole file is shown, and now. */
  let wholeRow = 1;
  let rowBytes = 1;
  let rowHeight = 8;
  let rows = 1;
  let width = 1;

  const bounded = (bytes: number) => Math.min(wholeRow, Math.max(MIN_ROW_BYTES, bytes));

  function clamp(): void {
    rowBytes = bounded(rowBytes);
    from = Math.max(0, Math.min(from, size - rows * rowBytes));
    // Rows of a megabyte begin at megabytes while they are not zoomed.
    if (rowBytes === wholeRow && kind === '1MB') from = Math.ceil(from / MEGABYTE) * MEGABYTE;
  }

  function moveTo(byte: number): void {
    from = byte;
    clamp();
  }

  return {
    get from() {
      return from;
    },
    get rowBytes() {
      return rowBytes;
    },
    get rowHeight() {
      return rowHeight;
    },
    get rows() {
      return rows;
    },
    get width() {
      return width;
    },
    get end() {
      return from + rows * rowBytes;
    },

    fit(element, newKind, strips) {
      const zoomed = wholeRow / rowBytes;
      kind = newKind;
      const height = Math.max(40, element.height);
      width = Math.max(40, element.width - GUTTER);
      if (kind === '1MB') {
        wholeRow = MEGABYTE;
        rowHeight = Math.min(16, Math.max(4, Math.floor(height / Math.ceil(size / MEGABYTE))));
        rowHeight += strips * STRIP_HEIGHT;
      } else {
        rowHeight = (height < 300 ? 8 : 10) + strips * STRIP_HEIGHT;
        wholeRow = Math.max(MIN_ROW_BYTES, size / Math.floor(height / rowHeight));
      }
      rows = Math.floor(height / rowHeight);
      rowBytes = wholeRow / zoomed;
      clamp();
    },

    move(bytes) {
      const before = from;
      moveTo(from + bytes);
      return from !== before;
    },

    moveTo,

    zoomAt(factor, byte) {
      const share = (byte - from) / rowBytes;
      rowBytes = bounded(rowBytes / factor);
      moveTo(byte - share * rowBytes);
    },

    show({ offset, length }) {
      rowBytes = bounded(length / PLACE_SHARE / rows);
      moveTo(offset + length / 2 - (rows * rowBytes) / 2);
    },

    showWhole() {
      rowBytes = wholeRow;
      moveTo(0);
    },

    middle: () => from + (rows * rowBytes) / 2,

    placeOf(byte) {
      const row = Math.floor((byte - from) / rowBytes);
      return [GUTTER + (((byte - from) % rowBytes) / rowBytes) * width, row * rowHeight];
    },

    byteAt(x, y) {
      const right = x - GUTTER;
      const row = Math.floor(y / rowHeight);
      if (right < 0 || right >= width || row < 0 || row >= rows) return undefined;
      const byte = from + row * rowBytes + (right / width) * rowBytes;
      return byte < size ? byte : undefined;
    },
  };
}
