/*
 * The files of the fonts, which are parts of packages and are loaded when a figure has a letter of them. The package has each once,
 * for page, element, library and Node: `sharedFonts` in vite.config.ts takes their names from this file. Arimo has the widths of
 * Helvetica and Arial, Tinos those of Times; Noto Sans Math has the signs that both lack.
 */

export type Family = 'Arimo' | 'Tinos';
export type Face = 'regular' | 'bold' | 'italic' | 'bolditalic';

/** A file of a font: an address with its data, or a function that asks a host for its bytes, or for a text with that address. */
export type FontFile = string | (() => Promise<ArrayBuffer | string>);
type Load = () => Promise<{ default: FontFile }>;

/** A part of a font: the letters of a script, in each face. */
export interface FontPart {
  /** Ranges of the characters for which it may be loaded. */
  ranges: readonly (readonly [from: number, to: number])[];
  faces: Readonly<Record<Face, Load>>;
}

const LATIN = [
  [0x20, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2dd],
  [0x304, 0x308],
  [0x2000, 0x206f],
  [0x20ac, 0x2193],
  [0x2212, 0x2215],
] as const;
const GREEK = [[0x370, 0x3ff]] as const;
const MORE_LATIN = [
  [0x100, 0x2ba],
  [0x1e00, 0x1eff],
  [0x300, 0x304],
  [0x2100, 0x214f],
] as const;
const CYRILLIC = [[0x400, 0x45f]] as const;

const ARIMO: readonly FontPart[] = [
  {
    ranges: LATIN,
    faces: {
      regular: () => import('@fontsource/arimo/files/arimo-latin-400-normal.woff?inline'),
      bold: () => import('@fontsource/arimo/files/arimo-latin-700-normal.woff?inline'),
      italic: () => import('@fontsource/arimo/files/arimo-latin-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/arimo/files/arimo-latin-700-italic.woff?inline'),
    },
  },
  {
    ranges: GREEK,
    faces: {
      regular: () => import('@fontsource/arimo/files/arimo-greek-400-normal.woff?inline'),
      bold: () => import('@fontsource/arimo/files/arimo-greek-700-normal.woff?inline'),
      italic: () => import('@fontsource/arimo/files/arimo-greek-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/arimo/files/arimo-greek-700-italic.woff?inline'),
    },
  },
  {
    ranges: MORE_LATIN,
    faces: {
      regular: () => import('@fontsource/arimo/files/arimo-latin-ext-400-normal.woff?inline'),
      bold: () => import('@fontsource/arimo/files/arimo-latin-ext-700-normal.woff?inline'),
      italic: () => import('@fontsource/arimo/files/arimo-latin-ext-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/arimo/files/arimo-latin-ext-700-italic.woff?inline'),
    },
  },
  {
    ranges: CYRILLIC,
    faces: {
      regular: () => import('@fontsource/arimo/files/arimo-cyrillic-400-normal.woff?inline'),
      bold: () => import('@fontsource/arimo/files/arimo-cyrillic-700-normal.woff?inline'),
      italic: () => import('@fontsource/arimo/files/arimo-cyrillic-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/arimo/files/arimo-cyrillic-700-italic.woff?inline'),
    },
  },
];

const TINOS: readonly FontPart[] = [
  {
    ranges: LATIN,
    faces: {
      regular: () => import('@fontsource/tinos/files/tinos-latin-400-normal.woff?inline'),
      bold: () => import('@fontsource/tinos/files/tinos-latin-700-normal.woff?inline'),
      italic: () => import('@fontsource/tinos/files/tinos-latin-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/tinos/files/tinos-latin-700-italic.woff?inline'),
    },
  },
  {
    ranges: GREEK,
    faces: {
      regular: () => import('@fontsource/tinos/files/tinos-greek-400-normal.woff?inline'),
      bold: () => import('@fontsource/tinos/files/tinos-greek-700-normal.woff?inline'),
      italic: () => import('@fontsource/tinos/files/tinos-greek-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/tinos/files/tinos-greek-700-italic.woff?inline'),
    },
  },
  {
    ranges: MORE_LATIN,
    faces: {
      regular: () => import('@fontsource/tinos/files/tinos-latin-ext-400-normal.woff?inline'),
      bold: () => import('@fontsource/tinos/files/tinos-latin-ext-700-normal.woff?inline'),
      italic: () => import('@fontsource/tinos/files/tinos-latin-ext-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/tinos/files/tinos-latin-ext-700-italic.woff?inline'),
    },
  },
  {
    ranges: CYRILLIC,
    faces: {
      regular: () => import('@fontsource/tinos/files/tinos-cyrillic-400-normal.woff?inline'),
      bold: () => import('@fontsource/tinos/files/tinos-cyrillic-700-normal.woff?inline'),
      italic: () => import('@fontsource/tinos/files/tinos-cyrillic-400-italic.woff?inline'),
      bolditalic: () => import('@fontsource/tinos/files/tinos-cyrillic-700-italic.woff?inline'),
    },
  },
];

export const FAMILIES: Readonly<Record<Family, readonly FontPart[]>> = { Arimo: ARIMO, Tinos: TINOS };

/** The font of signs, in one face. */
export const SIGNS: Load = () =>
  import('@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff?inline');
