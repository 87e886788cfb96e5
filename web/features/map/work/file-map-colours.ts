import type { SegmentKind } from '../../../api/insight';
import { branchRgb, type Rgb } from '../../../plot/drawing/branch-colours';
import { colourScale } from '../../../plot/drawing/colour-scale';
import { type FileMap, segmentKinds } from './map';
import type { ChosenBranches } from './map-branches';

/**
 * How baskets are coloured: by branch (hues in the order of the branches), by entries (from first to last), or all
 * the same.
 */
export const mapColourings = ['branch', 'entries', 'kind'] as const;
export type MapColouring = (typeof mapColourings)[number];

export interface MapColours {
  /** Colours of each segment, as bytes R, G, B, A of a canvas (little-endian). */
  base: Uint32Array;
  /** Colours of the baskets of chosen branches; 0 elsewhere. Undefined when none are chosen. */
  chosen: Uint32Array | undefined;
}

const kindColours: Record<SegmentKind, { light: string; dark: string }> = {
  unknown: { light: '#e8a598', dark: '#8f4636' },
  header: { light: '#1b2620', dark: '#e3eae5' },
  directory: { light: '#2b4f86', dark: '#7fa6e0' },
  keys: { light: '#4f83c9', dark: '#5486c9' },
  streamers: { light: '#8a6cc0', dark: '#a68bdb' },
  freelist: { light: '#7c857f', dark: '#8d9891' },
  free: { light: '#d8dad2', dark: '#39433e' },
  gap: { light: '#c3c7bd', dark: '#4a544e' },
  tree: { light: '#9a5b13', dark: '#dda760' },
  ntuple: { light: '#9a5b13', dark: '#dda760' },
  basket: { light: '#86b89f', dark: '#3f7d63' },
  page: { light: '#86b89f', dark: '#3f7d63' },
  blob: { light: '#b3ad8c', dark: '#77724f' },
  object: { light: '#c885ab', dark: '#b0608f' },
  behind: { light: '#4b4b4b', dark: '#b0b0b0' },
};

const chosenColours = {
  light: ['#c8323f', '#1a62b0', '#d99300', '#7237a8', '#00856f', '#b5460f', '#0f7ea0', '#9c2c77'],
  dark: ['#ff7a80', '#6db3ff', '#ffc94d', '#c39bff', '#4fdcc0', '#ff9d5c', '#66d3f2', '#f58fcb'],
};

/** How baskets are shown that are not chosen while others are. */
const faded = { light: '#dde3dc', dark: '#28352e' };

/** The colour of a kind, "#rrggbb". */
export function kindColour(kind: SegmentKind, dark: boolean): string {
  return kindColours[kind][dark ? 'dark' : 'light'];
}

/** The colour of the `index`-th chosen pattern, "#rrggbb"; they repeat. */
export function chosenColour(index: number, dark: boolean): string {
  const colours = chosenColours[dark ? 'dark' : 'light'];
  return colours[index % colours.length] ?? '#c8323f';
}

export function mapColours(
  map: FileMap,
  { dark, colouring, chosen }: { dark: boolean; colouring: MapColouring; chosen: ChosenBranches | undefined },
): MapColours {
  const some = chosen !== undefined && chosen.patterns.length > 0;
  const byKind = segmentKinds.map((kind) => pack(rgbOf(kindColour(kind, dark))));
  const fadedColour = pack(rgbOf(faded[dark ? 'dark' : 'light']));
  const patternColours = (chosen?.patterns ?? []).map((_, i) => pack(rgbOf(chosenColour(i, dark))));
  const scale = Uint32Array.from({ length: 256 }, (_, i) => {
    const rgb = colourScale256(dark);
    return pack([rgb[3 * i] ?? 0, rgb[3 * i + 1] ?? 0, rgb[3 * i + 2] ?? 0]);
  });
  const hues = map.layouts.map(({ tree }) =>
    Uint32Array.from(tree.branches, ({ index }) => pack(branchRgb(index, tree.branches.length, dark))),
  );
  const base = new Uint32Array(map.count);
  const marked = some ? new Uint32Array(map.count) : undefined;
  for (let i = 0; i < map.count; i++) {
    const branch = map.branch[i] ?? -1;
    const tree = map.tree[i] ?? -1;
    if (branch < 0) {
      base[i] = byKind[map.kind[i] ?? 0] ?? 0;
      continue;
    }
    if (marked !== undefined) {
      base[i] = fadedColour;
      marked[i] = patternColours[chosen?.groups[tree]?.[branch] ?? -1] ?? 0;
    } else if (colouring === 'branch') base[i] = hues[tree]?.[branch] ?? 0;
    else if (colouring === 'kind') base[i] = byKind[map.kind[i] ?? 0] ?? 0;
    else {
      const layout = map.layouts[tree];
      const share = (layout?.firstEntry[map.item[i] ?? 0] ?? 0) / Math.max(1, layout?.tree.entries ?? 1);
      base[i] = scale[32 + Math.min(223, Math.floor(share * 224))] ?? 0;
    }
  }
  return { base, chosen: marked };
}

const scales = new Map<boolean, Uint8ClampedArray>();

function colourScale256(dark: boolean): Uint8ClampedArray {
  const scale = scales.get(dark) ?? colourScale(dark);
  scales.set(dark, scale);
  return scale;
}

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function pack([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
