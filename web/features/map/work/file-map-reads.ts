import { type CoverKind, coverKinds, type ReadCover } from '../../../reads/read-cover';
import { pack, rgbOf } from './file-map-colours';
import { type MapLayer, type MapWindow, mapLayer, mapPixels } from './file-map-texture';

/** Reads laid over a map: a strip below each row. */
export interface ReadStrip {
  cover: ReadCover;
  /** The reading of another program, in a colour of its own. */
  other: boolean;
}

type Colours = Record<CoverKind, string>;

const own: { light: Colours; dark: Colours } = {
  light: { none: '#eceee9', memory: '#d08a1d', store: '#7a4fb3', read: '#17745a', again: '#c0392b' },
  dark: { none: '#222b27', memory: '#e6ac4d', store: '#b394e6', read: '#4cc29a', again: '#ef7b6e' },
};
const otherRead = { light: '#3c5a78', dark: '#8fb4d9' };

/** Returns the colour of bytes that were read in this way, "#rrggbb". */
export function coverColour(kind: CoverKind, other: boolean, dark: boolean): string {
  const theme = dark ? 'dark' : 'light';
  return other && kind === 'read' ? otherRead[theme] : own[theme][kind];
}

export interface StripLayers {
  track: MapLayer;
  read: MapLayer;
}

export function stripLayers({ cover, other }: ReadStrip, dark: boolean): StripLayers {
  const colours = coverKinds.map((kind) =>
    kind === 'none' ? 0 : pack(rgbOf(coverColour(kind, other, dark))),
  );
  const size = cover.start.at(-1) ?? 0;
  const track = pack(rgbOf(coverColour('none', other, dark)));
  return {
    track: mapLayer(Float64Array.of(0, size), Uint32Array.of(track)),
    read: mapLayer(
      cover.start,
      Uint32Array.from(cover.kind, (kind) => colours[kind] ?? 0),
    ),
  };
}

/** Returns the pixels of a strip in the rows of a window. Even a single byte that was read shows. */
export function stripPixels(window: MapWindow, { track, read }: StripLayers): Uint32Array {
  return mapPixels(window, track, read);
}
