/** Colours of maps by name: the page's own, one of both signs, and those of ROOT (TColor::SetPalette). The first is the default. */
export const palettes = ['own', 'diverging', 'bird', 'viridis', 'cividis', 'rainbow', 'grey'] as const;
export type Palette = (typeof palettes)[number];

/** Nine equidistant colours of each of ROOT's palettes, six digits each. ROOT mixes the colours between them. */
const STOPS: Partial<Record<Palette, string>> = {
  bird: '352a870f5cdd1481d606a4ca2eb7a487bf77d1bb59fec832f9fb0e',
  viridis: '1a091e3318602b37702157721c76702396654ab44890c823f6de00',
  cividis: '00204d05366e414d6b61646f7c7b789c9477bdaf6fe0cb5effea46',
  rainbow: '00006305308e0f7cc623c0c966ce5ac4e216d0610dc710086e0002',
  grey: '000000202020404040606060808080a0a0a0c0c0c0e0e0e0ffffff',
};

/** Returns a colour scale of 256 RGB triples. */
export function scaleOf(palette: Palette, dark: boolean): Uint8ClampedArray {
  if (palette === 'own') return colourScale(dark);
  const scale = new Uint8ClampedArray(256 * 3);
  const stops = STOPS[palette];
  for (let i = 0; i < 256; i++)
    scale.set(stops === undefined ? signedColour(i / 127.5 - 1, dark) : mixed(stops, i / 255), i * 3);
  return scale;
}

function mixed(stops: string, share: number): [number, number, number] {
  const at = share * (stops.length / 6 - 1);
  const from = Math.min(stops.length / 6 - 2, Math.floor(at));
  const part = (stop: number, k: number) =>
    Number.parseInt(stops.slice(6 * stop + 2 * k, 6 * stop + 2 * k + 2), 16);
  const one = (k: number) => Math.round(part(from, k) + (at - from) * (part(from + 1, k) - part(from, k)));
  return [one(0), one(1), one(2)];
}

/** Colour of a share from -1 to 1: blue below 0, red above it, and nearly the ground at 0. Equal magnitudes are equally strong. */
function signedColour(share: number, dark: boolean): [number, number, number] {
  const far = Math.min(1, Math.abs(share));
  const lightness = dark ? 0.3 + 0.5 * far : 0.965 - 0.52 * far;
  return oklchToRgb(lightness, 0.17 * far ** 0.8, share < 0 ? 255 : 32);
}

/**
 * A sequential colour scale that is even to the eye: lightness falls (or rises) linearly in OKLCH
 * while the hue turns from yellow through green to deep blue. 256 RGB triples; index 0 is the
 * faintest against a light ground, or against a dark one when `dark`.
 *
 * Conversion from OKLab by Björn Ottosson's published matrices (https://bottosson.github.io/posts/oklab/).
 */
export function colourScale(dark: boolean): Uint8ClampedArray {
  const scale = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i++) {
    const share = i / 255;
    const lightness = dark ? 0.26 + 0.66 * share : 0.95 - 0.67 * share;
    const hue = dark ? 255 - 150 * share : 108 + 150 * share;
    const chroma = 0.04 + 0.1 * Math.sin(Math.PI * (0.15 + 0.75 * share));
    scale.set(oklchToRgb(lightness, chroma, hue), i * 3);
  }
  return scale;
}

/** Converts a colour from OKLCH (hue in degrees) to sRGB bytes. Colours outside sRGB lose chroma, not lightness. */
export function oklchToRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  for (let c = chroma; ; c -= 0.005) {
    const [red, green, blue] = linearRgb(lightness, Math.max(c, 0), (hue * Math.PI) / 180);
    const fits = [red, green, blue].every((part) => part >= -0.0005 && part <= 1.0005);
    if (fits || c <= 0) return [encode(red), encode(green), encode(blue)];
  }
}

function linearRgb(lightness: number, chroma: number, angle: number): [number, number, number] {
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encode(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  const value = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(value * 255);
}
