import type { StatLine } from './model';
import { axisTicks, type Ticks } from './ticks';

export type Scale = (value: number) => number;

/** One axis of a picture before it has a place. */
export interface AxisSpec {
  range: [low: number, high: number];
  log: boolean;
  title: string;
  names?: { edges: Float64Array; labels: string[] } | undefined;
}

/** A coordinate frame within a picture, in CSS pixels. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: { spec: AxisSpec; scale: Scale; ticks: Ticks };
  y: { spec: AxisSpec; scale: Scale; ticks: Ticks };
}

/** The frame of a picture of this size; `right` is the room kept for what stands beside it. */
export function frameOf(width: number, height: number, x: AxisSpec, y: AxisSpec, right = 20): Frame {
  const box = { left: 76, right: width - right, top: 44, bottom: height - 56 };
  const wide = box.right - box.left;
  const tall = box.bottom - box.top;
  const axis = (spec: AxisSpec, from: number, to: number, count: number) => ({
    spec,
    scale: scaleOf(spec, from, to),
    ticks: axisTicks(spec.range[0], spec.range[1], Math.max(2, count), spec.log, spec.names),
  });
  return {
    ...box,
    x: axis(x, box.left, box.right, Math.round(wide / 90)),
    y: axis(y, box.bottom, box.top, Math.round(tall / 55)),
  };
}

/** Maps the range of an axis to [from, to]; where logarithmic, what is below the range lies at `from`. */
function scaleOf({ range: [low, high], log }: AxisSpec, from: number, to: number): Scale {
  if (!log) return (value) => from + ((value - low) / (high - low)) * (to - from);
  const span = Math.log(high / low);
  return (value) => from + (Math.log(Math.max(value, low) / low) / span) * (to - from);
}

/** A whole SVG document around `content`, which is drawn between the grid and the axes. */
export function svgDocument(
  size: { width: number; height: number },
  title: string,
  frame: Frame,
  content: string[],
): string {
  const { width, height } = size;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="#1c2621" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    grid(frame),
    ...content,
    `<path d="M${n(frame.left)} ${n(frame.top)}V${n(frame.bottom)}H${n(frame.right)}" fill="none" stroke="#1c2621"/>`,
    labels(frame),
    text(frame.left, 26, title, 'font-size="16" font-weight="600"'),
    text(frame.right, height - 14, frame.x.spec.title, 'text-anchor="end"'),
    text(0, 0, frame.y.spec.title, `text-anchor="end" transform="translate(20 ${frame.top}) rotate(-90)"`),
    '</svg>',
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

/** The statistics at the upper right, or nothing where there are none. */
export function statsBox(stats: StatLine[], frame: Frame): string {
  if (stats.length === 0) return '';
  const longest = Math.max(...stats.map((line) => line.label.length + line.value.length));
  const width = Math.max(130, longest * 6.6 + 30);
  const x = frame.right - width;
  const rows = stats.map((line, i) => {
    const y = frame.top + 20 + i * 17;
    return `${text(x + 10, y, line.label, 'fill="#55645c"')}${text(frame.right - 10, y, line.value, 'text-anchor="end"')}`;
  });
  return [
    `<g font-size="12"><rect x="${n(x)}" y="${frame.top}" width="${n(width)}" height="${stats.length * 17 + 12}" fill="#fff" fill-opacity="0.9" stroke="#c9d1ca"/>`,
    ...rows,
    '</g>',
  ].join('\n');
}

/** Text made safe for SVG content and attributes; characters that XML forbids become U+FFFD. */
export function escapeXml(value: string): string {
  return value
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** A line of text, escaped; nothing where it is empty. */
export function text(x: number, y: number, content: string, attributes: string): string {
  return content === '' ? '' : `<text x="${n(x)}" y="${n(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

/** A coordinate to hundredths of a pixel. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function grid(frame: Frame): string {
  const lines: string[] = [];
  frame.x.ticks.values.forEach((value, i) => {
    if (frame.x.ticks.labels[i] === '' || frame.x.spec.names !== undefined) return;
    lines.push(`M${n(frame.x.scale(value))} ${frame.top}V${frame.bottom}`);
  });
  frame.y.ticks.values.forEach((value, i) => {
    if (frame.y.ticks.labels[i] === '' || frame.y.spec.names !== undefined) return;
    lines.push(`M${frame.left} ${n(frame.y.scale(value))}H${n(frame.right)}`);
  });
  return lines.length === 0 ? '' : `<path d="${lines.join('')}" stroke="#e4e8e2"/>`;
}

function labels({ left, bottom, x, y }: Frame): string {
  const parts: string[] = [];
  let lines = '';
  x.ticks.values.forEach((value, i) => {
    lines += `M${n(x.scale(value))} ${bottom}v5`;
    parts.push(text(x.scale(value), bottom + 20, x.ticks.labels[i] ?? '', 'text-anchor="middle"'));
  });
  y.ticks.values.forEach((value, i) => {
    const label = y.ticks.labels[i] ?? '';
    lines += `M${left} ${n(y.scale(value))}h-${label === '' ? 3 : 6}`;
    parts.push(text(left - 9, y.scale(value) + 4.5, label, 'text-anchor="end"'));
  });
  return `<path d="${lines}" stroke="#1c2621"/>\n${parts.filter((part) => part !== '').join('\n')}`;
}
