import type { Ticks } from './ticks';

/** How an axis shows times (TAxis::SetTimeDisplay). Values are seconds from `offset` on. */
export interface TimeAxis {
  /** In seconds since 1970 in UTC. */
  offset: number;
  /** Format for strftime; empty when it follows from the distance of the ticks. */
  format: string;
}

/** 1995-01-01, ROOT's origin of times when an axis has none (TStyle::GetTimeOffset). */
const ROOT_OFFSET = 788_918_400;

/** Parses the format that ROOT stores: "%H:%M%F2023-11-15 00:00:00s0 GMT", with the origin after "%F". */
export function timeAxisOf(stored: string): TimeAxis {
  const [format = '', origin = ''] = stored.slice(0, 200).split('%F');
  const found = /^\s*(\d+)-(\d+)-(\d+)\s+(\d+):(\d+):(\d+)(?:s(-?[\d.]+))?/.exec(origin);
  if (found === null) return { format, offset: ROOT_OFFSET };
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, more = 0] = found
    .slice(1)
    .map(Number);
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  // The digits are more than a date has.
  if (!Number.isFinite(offset)) return { format, offset: ROOT_OFFSET };
  return { format, offset: offset + (Number.isFinite(more) ? more : 0) };
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const steps = [
  ...[1, 2, 5, 10, 15, 30],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
  ...[DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY],
];
/** Steps of the calendar, in months. */
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000];

/** Returns at most `count` ticks at round times in UTC within [low, high]; undefined if times are too fine or too far. */
export function timeTicks(low: number, high: number, count: number, axis: TimeAxis): Ticks | undefined {
  const most = Math.max(2, count);
  const span = high - low;
  const from = low + axis.offset;
  const to = high + axis.offset;
  // Dates of JavaScript end 8.64e12 s from 1970.
  if (!(span > 0) || span / most < 1 || Math.max(Math.abs(from), Math.abs(to)) > 8e12) return undefined;
  const step = steps.find((one) => span / one <= most);
  const values: number[] = [];
  if (step !== undefined) {
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) values.push(time - axis.offset);
  } else {
    const months = monthSteps.find((one) => span / (one * 30.44 * DAY) <= most) ?? 120_000;
    const start = new Date(from * 1000);
    let index = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
    for (let i = 0; i <= 2 * most + 2; i++, index += months) {
      const time = new Date(0).setUTCFullYear(Math.floor(index / 12), ((index % 12) + 12) % 12, 1) / 1000;
      if (time >= from && time <= to) values.push(time - axis.offset);
    }
  }
  const format = axis.format || formatFor(step ?? 31 * DAY, span);
  return { values, labels: values.map((value) => timeText(value, axis, format)) };
}

function formatFor(step: number, span: number): string {
  if (step > 14 * DAY) return span > 4 * 365 * DAY ? '%Y' : '%b %Y';
  if (step >= DAY) return '%d %b';
  if (step >= MINUTE) return span > DAY ? '%d %b %H:%M' : '%H:%M';
  return '%H:%M:%S';
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The time of a value in UTC, as strftime writes it in English. */
export function timeText(value: number, { offset }: TimeAxis, format = '%Y-%m-%d %H:%M:%S'): string {
  const seconds = value + offset;
  const date = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return '–';
  return format.replace(/%([a-zA-Z%])/g, (whole, letter: string) => part(date, letter) ?? whole);
}

function part(date: Date, letter: string): string | undefined {
  const two = (value: number) => String(value).padStart(2, '0');
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const hour = date.getUTCHours();
  const again = (format: string) => format.replace(/%([a-zA-Z])/g, (_, one: string) => part(date, one) ?? '');
  const parts: Record<string, () => string> = {
    Y: () => String(year),
    y: () => two(((year % 100) + 100) % 100),
    m: () => two(month + 1),
    B: () => months[month] ?? '',
    b: () => (months[month] ?? '').slice(0, 3),
    h: () => (months[month] ?? '').slice(0, 3),
    d: () => two(date.getUTCDate()),
    e: () => String(date.getUTCDate()).padStart(2, ' '),
    j: () =>
      String(Math.floor((date.getTime() / 1000 - Date.UTC(year, 0, 1) / 1000) / DAY) + 1).padStart(3, '0'),
    A: () => days[date.getUTCDay()] ?? '',
    a: () => (days[date.getUTCDay()] ?? '').slice(0, 3),
    w: () => String(date.getUTCDay()),
    H: () => two(hour),
    I: () => two(hour % 12 || 12),
    M: () => two(date.getUTCMinutes()),
    S: () => two(date.getUTCSeconds()),
    p: () => (hour < 12 ? 'AM' : 'PM'),
    D: () => again('%m/%d/%y'),
    x: () => again('%m/%d/%y'),
    R: () => again('%H:%M'),
    T: () => again('%H:%M:%S'),
    X: () => again('%H:%M:%S'),
    c: () => again('%a %b %e %H:%M:%S %Y'),
    n: () => ' ',
    t: () => ' ',
    Z: () => 'UTC',
    s: () => String(date.getTime() / 1000),
    '%': () => '%',
  };
  return Object.hasOwn(parts, letter) ? parts[letter]?.() : undefined;
}
