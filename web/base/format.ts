/** Formats a count with thousands separators: 1,234,567. */
export function formatCount(count: number | bigint): string {
  // Intl.NumberFormat does the same, but creating it takes 25 ms. Above 1e21, toFixed returns an exponent.
  if (Math.abs(Number(count)) >= 1e21) return formatNumber(Number(count));
  const digits = typeof count === 'number' ? Math.round(count).toFixed(0) : String(count);
  return groupThousands(digits);
}

/** Inserts a comma before every three digits. A minus sign is allowed. */
export function groupThousands(digits: string): string {
  const first = digits.startsWith('-') ? 1 : 0;
  let text = digits;
  for (let at = digits.length - 3; at > first; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Formats bytes in decimal units with three significant digits: "987 B", "1.23 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  const text = unit === 0 ? String(Math.round(value)) : value.toPrecision(3);
  return `${text} ${byteUnits[unit]}`;
}

/** Formats a duration in ms: "12 ms", "1.24 s", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toPrecision(3)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats a number with at most `digits` significant digits, like %g in C but without "+" and trailing zeros. */
export function formatNumber(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(digits));
  if (size >= 10 ** digits || size < 1e-4) {
    return rounded.toExponential().replace('e+', 'e');
  }
  return String(rounded);
}

/** Wraps a text into lines of at most `width` characters. Words are not divided. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
