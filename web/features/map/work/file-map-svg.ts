import { formatBytes, formatCount } from '../../../base/format';
import { escapeXml } from '../../../plot/drawing/drawing';
import { coverKinds, coverLabels } from '../../../reads/read-cover';
import { chosenColour, kindColour, type MapColouring, mapColours } from './file-map-colours';
import { placeText } from './file-map-place';
import { coverColour, type ReadStrip, stripLayers, stripPixels } from './file-map-reads';
import { mapLayer, mapPixels } from './file-map-texture';
import { bytesByKind, type FileMap, kindLabels } from './map';
import type { ChosenBranches } from './map-branches';

export interface MapSvgOptions {
  title: string;
  colouring: MapColouring;
  chosen?: ChosenBranches | undefined;
  /** Bytes of a row; default: so that some 120 rows hold the file. */
  rowBytes?: number | undefined;
  /** Bytes at which marks are drawn: where clusters begin. */
  borders?: Float64Array | undefined;
  /** The reads, as strips below each row, and the program that read. */
  reads?: readonly (ReadStrip & { by: string })[] | undefined;
}

const WIDTH = 720;
const GUTTER = 64;
const ROWS = 120;
/** Pixels that a row is divided into. */
const CELLS = 640;
const MAP_HEIGHT = 4;
/** Height of a strip of reads, and the space above it. */
const STRIP_HEIGHT = 2;
const STRIP_GAP = 0.4;

/** The map of a file as a self-contained SVG document: rows, legend, borders of clusters. Pure text. */
export function fileMapSvg(map: FileMap, options: MapSvgOptions): string {
  const { chosen, colouring, title, reads = [] } = options;
  const rowBytes = options.rowBytes ?? Math.max(64, map.size / ROWS);
  const rows = Math.max(1, Math.ceil(map.size / rowBytes));
  const colours = mapColours(map, { dark: false, colouring, chosen });
  const base = mapLayer(map.start, colours.base);
  const over = colours.chosen && mapLayer(map.start, colours.chosen);
  const window = { from: 0, rowBytes, rows, width: CELLS };
  const rowHeight = MAP_HEIGHT + reads.length * (STRIP_GAP + STRIP_HEIGHT) + (reads.length > 0 ? 1 : 0);
  const top = 52;
  const bottom = top + rows * rowHeight;
  const legend = legendOf(map, options, bottom + 26);
  const height = legend.bottom + 14;
  const scale = (WIDTH - GUTTER - 16) / CELLS;
  const every = Math.max(1, Math.ceil(24 / rowHeight));
  const labels: string[] = [];
  for (let row = 0; row < rows; row += every) {
    const y = top + (row + 0.5) * rowHeight + 4;
    const text = placeText(row * rowBytes, rowBytes * every);
    labels.push(`<text x="${GUTTER - 8}" y="${y}" text-anchor="end" fill="#57655d">${text}</text>`);
  }
  const ticks = Array.from(options.borders ?? [], (byte) => {
    const x = GUTTER + ((byte % rowBytes) / rowBytes) * CELLS * scale;
    const y = top + Math.floor(byte / rowBytes) * rowHeight;
    return `M${x.toFixed(1)} ${y - 0.5}v${MAP_HEIGHT}`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="11" fill="#1c2621" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="16" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="16" y="42" fill="#57655d">${formatBytes(map.size)}, ${formatCount(map.count)} pieces, ${formatBytes(rowBytes)} a row</text>`,
    ...labels,
    ...band(mapPixels(window, base, over), { y: top, height: MAP_HEIGHT, rowHeight, scale }),
    ...reads.flatMap((strip, i) => {
      const y = top + MAP_HEIGHT + i * (STRIP_GAP + STRIP_HEIGHT) + STRIP_GAP;
      return band(stripPixels(window, stripLayers(strip, false)), {
        ...{ y, rowHeight, scale },
        height: STRIP_HEIGHT,
      });
    }),
    ticks.length > 0 && ticks.length < rows * 8
      ? `<path d="${ticks.join('')}" stroke="#1b2620" stroke-width="1.2" fill="none"/>`
      : '',
    ...legend.lines,
    '</svg>',
  ]
    .filter((part) => part !== '')
    .join('\n')}\n`;
}

/** Rows of pixels, each as high as `height` of the `rowHeight` from one to the next. */
function band(
  pixels: Uint32Array,
  { y, height, rowHeight, scale }: { y: number; height: number; rowHeight: number; scale: number },
): string[] {
  // A line lies at 0.4 of its row, see below.
  const shift = y + 0.4 * (height - rowHeight);
  const stroke = Number(((0.8 * height) / rowHeight).toFixed(4));
  return [
    `<g transform="translate(${GUTTER} ${Number(shift.toFixed(2))}) scale(${scale.toFixed(4)} ${rowHeight})" stroke-width="${stroke}" fill="none">`,
    ...runs(pixels, CELLS),
    '</g>',
  ];
}

/** Equal neighbours as one line each, all lines of a colour as one path. */
function runs(pixels: Uint32Array, width: number): string[] {
  const paths = new Map<number, string[]>();
  for (let start = 0; start < pixels.length; ) {
    const colour = (pixels[start] ?? 0) & 0xf0f0f0;
    const alpha = (pixels[start] ?? 0) >>> 24;
    const rowEnd = (Math.floor(start / width) + 1) * width;
    let end = start + 1;
    while (end < rowEnd && ((pixels[end] ?? 0) & 0xf0f0f0) === colour && (pixels[end] ?? 0) >>> 24 !== 0)
      end++;
    if (alpha !== 0) {
      const row = Math.floor(start / width);
      const line = `M${start % width} ${row}.4h${end - start}`;
      const known = paths.get(colour);
      if (known) known.push(line);
      else paths.set(colour, [line]);
    }
    start = end;
  }
  return [...paths].map(([colour, lines]) => {
    const part = (shift: number) => ((colour >> shift) & 255) | 8;
    const hex = ((1 << 24) | (part(0) << 16) | (part(8) << 8) | part(16)).toString(16).slice(1);
    return `<path stroke="#${hex}" d="${lines.join('')}"/>`;
  });
}

function legendOf(map: FileMap, { chosen, reads = [] }: MapSvgOptions, top: number) {
  const kinds = bytesByKind(map).map(({ kind, bytes }) => ({
    colour: kindColour(kind, false),
    text: `${kindLabels[kind]} ${formatBytes(bytes)}`,
  }));
  const patterns = (chosen?.patterns ?? []).map((pattern, i) => ({
    colour: chosenColour(i, false),
    text: `${pattern} ${formatBytes(chosen?.sums[i]?.storedBytes ?? 0)}`,
  }));
  const readings = reads.flatMap(({ cover, other, by }) =>
    coverKinds
      .filter((kind) => kind !== 'none' && cover.bytes[kind] > 0)
      .map((kind) => ({
        colour: coverColour(kind, other, false),
        text: `${coverLabels[kind]} by ${by} ${formatBytes(cover.bytes[kind])}`,
      })),
  );
  let x = 16;
  let y = top;
  const lines = [...readings, ...patterns, ...kinds].map(({ colour, text }) => {
    const width = 26 + text.length * 6.2;
    if (x + width > WIDTH - 8 && x > 16) {
      x = 16;
      y += 18;
    }
    const line = `<rect x="${x}" y="${y - 9}" width="10" height="10" rx="2" fill="${colour}"/><text x="${x + 15}" y="${y}">${escapeXml(text)}</text>`;
    x += width;
    return line;
  });
  return { lines, bottom: y };
}
