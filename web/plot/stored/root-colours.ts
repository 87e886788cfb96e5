import type { PlainValue } from '../../api/api';
import type { Colour } from '../drawing/drawing';
import { label, number, record } from './members';

/** The colours that ROOT defines, from an index on: six digits for each. */
const TABLE: readonly [from: number, digits: string][] = [
  [
    0,
    'ffffff000000ff000000ff000000ffffff00ff00ff00ffff59d3545954d8fefefec0b6ac4c4c4c6666667f7f7f999999' +
      'b2b2b2cccccce5e5e5f2f2f2ccc6aaccc6aac1bfa8bab5a3b2a596b7a39bad998c9b8e82876656afcec684c1a389a8a0' +
      '829e8cadbcc67a8e997589916882966d7a847c99d17f7f9baaa5bfd3ce87ddba87bc9e82c6997cbf8277ce5e60aa8e93' +
      'a5777a936870d359549200ff7a00ff6200ff4a00ff3300ff1b00ff0300ff0014ff002cff0044ff005bff0073ff008bff' +
      '00a3ff00bbff00d2ff00eaff00fffb00ffe300ffcc00ffb400ff9c00ff8400ff6c00ff5500ff3d00ff2500ff0d0aff00' +
      '22ff0039ff0051ff0069ff0081ff0099ff00b0ff00c8ff00e0ff00f8ff00ffee00ffd600ffbe00ffa600ff8e00ff7700' +
      'ff5f00ff4700ff2f00ff17006f2da8a52a2ab2beb55790fcf89c20e42536964a8b9c9ca17a21dd1845fbff5e02c91f16' +
      'c849a9adad7d86c8dd578dff6563643f90daffa90ebd1f0194a4a2832db6a96b59e76300b9ac7071758192daddb2b2b2',
  ],
  [
    201,
    '5b5b5b7a7a7ab7b7b7d6d6d6890f0fb71414ea4747ef75750f890f14b71447ea4775ef750f0f891414b74747ea7575ef' +
      '89890fb7b714eaea47efef75890f89b714b7ea47eaef75ef0f898914b7b747eaea75efef',
  ],
  [390, 'ffffccffff99cccc99ffff66cccc66999966ffff33cccc33999933666633ffff00cccc00999900666600333300'],
  [406, 'ccffcc99ff9999cc9966ff6666cc6666996633ff3333cc3333993333663300ff0000cc00009900006600003300'],
  [422, 'ccffff99ffff99cccc66ffff66cccc66999933ffff33cccc33999933666600ffff00cccc009999006666003333'],
  [590, 'ccccff9999ff9999cc6666ff6666cc6666993333ff3333cc3333993333660000ff0000cc000099000066000033'],
  [606, 'ffccffff99ffcc99ccff66ffcc66cc996699ff33ffcc33cc993399663366ff00ffcc00cc990099660066330033'],
  [622, 'ffccccff9999cc9999ff6666cc6666996666ff3333cc3333993333663333ff0000cc0000990000660000330000'],
  [
    791,
    'ffcc99cc9966996633996600cc9933ffcc66ff9900ffcc33cc9900ffcc00ff9933cc6600663300993300cc6633ff9966' +
      'ff6600ff6633cc3300ff330099ff3366cc0033660033990066cc3399ff6666ff0066ff3333cc0033ff00ccff9999cc66' +
      '66993366990099cc33ccff6699ff00ccff3399cc00ccff0099ffcc66cc9933996600996633cc9966ffcc00ff6633ffcc' +
      '00cc9900ffcc33ff9900cc6600663300993333cc6666ff9900ff9933ff6600cc3300ff3399ccff6699cc336699003399' +
      '3366cc6699ff0066ff3366ff0033cc0033ff3399ff0066cc0033660066993399cc66ccff0099ff33ccff0099cc00ccff' +
      'cc99ff9966cc6633996600999933cccc66ff9900ffcc33ff9900cccc00ff9933ff6600cc3300663300996633cc9966ff' +
      '6600ff6633ff3300cc3300ffff3399cc0066660033990033cc3366ff6699ff0066ff3366cc0033ff0033ff99cccc6699' +
      '993366990066cc3399ff66ccff0099cc0099ff33ccff0099',
  ],
  [920, 'cccccc999999666666333333'],
];

export type RootColours = ReadonlyMap<number, `#${string}`>;

let own: Map<number, `#${string}`> | undefined;

/** The colours that ROOT defines, without those of a file. */
export function rootColours(): RootColours {
  own ??= new Map(
    TABLE.flatMap(([from, digits]) =>
      Array.from(
        { length: digits.length / 6 },
        (_, i) => [from + i, `#${digits.slice(6 * i, 6 * i + 6)}`] as const,
      ),
    ),
  );
  return own;
}

/** The colours of ROOT with those that a canvas keeps in its list of colours. */
export function coloursWith(list: PlainValue | undefined): RootColours {
  const items = record(list)?.arr;
  if (!Array.isArray(items)) return rootColours();
  const all = new Map(rootColours());
  for (const item of items.slice(0, 10_000)) {
    const members = record(item);
    const colour = members && colourOf(members);
    if (colour !== undefined) all.set(number(members?.fNumber), colour);
  }
  return all;
}

/** Returns the colour of a stored TColor; undefined for other objects. */
export function colourOf(object: { [member: string]: PlainValue }): `#${string}` | undefined {
  const parts = [object.fRed, object.fGreen, object.fBlue].map(number);
  if (label(object._typename) !== 'TColor' || !parts.every((part) => part >= 0 && part <= 1))
    return undefined;
  const alpha = number(object.fAlpha);
  const faint = alpha >= 0 && alpha < 1 ? digitsOf(alpha) : '';
  return `#${parts.map(digitsOf).join('')}${faint}`;
}

const digitsOf = (share: number): string =>
  Math.round(share * 255)
    .toString(16)
    .padStart(2, '0');

/**
 * Returns the colour of an area on the background of the page. Black and white are replaced by those of the theme.
 */
export function themed(index: PlainValue | undefined): Colour {
  const colour = rootColours().get(number(index)) ?? '#000000';
  return colour === '#000000' ? 'ink' : colour === '#ffffff' ? 'paper' : colour;
}

/** Minimum and maximum lightness of lines, so that they are visible on a light and a dark background. */
const DARKEST = 0.13;
const LIGHTEST = 0.3;

/** Does the same for a line: the nearest colour that is visible in both themes. */
export function themedLine(index: PlainValue | undefined): Colour {
  const colour = themed(index);
  if (!colour.startsWith('#')) return 'ink';
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const mixed = (share: number, ground: number) => parts.map((part) => part + share * (ground - part));
  for (let share = 0; share < 1; share += 0.05) {
    const ground = lightness(parts) < DARKEST ? 1 : 0;
    const found = mixed(share, ground);
    const light = lightness(found);
    if (ground === 1 ? light >= DARKEST : light <= LIGHTEST) return `#${found.map(digitsOf).join('')}`;
  }
  return colour;
}

/** The relative luminance of WCAG. */
function lightness(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
