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
