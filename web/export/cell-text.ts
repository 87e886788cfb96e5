import { formatNumber } from '../base/format';
import type { Column } from '../core/columns';

/** Maximum number of characters and members of a value that are shown. */
interface Limits {
  members: number;
  characters: number;
  /** Whether numbers have all digits, or only those that fit into a table. */
  exact: boolean;
}

const cell: Limits = { members: 12, characters: 160, exact: false };
const whole: Limits = { members: 10_000, characters: 200_000, exact: true };

/** Formats an entry of a column for a table cell: numbers short, lists in brackets, long texts cut. */
export function cellText(column: Column, row: number): string {
  return cut(valueText(column, row, 0, cell), cell);
}

/**
 * Formats an entry of a column with all digits and members, for reading or copying. Cut only beyond 200,000
 * characters.
 */
export function fullText(column: Column, row: number): string {
  return cut(valueText(column, row, 0, whole), whole);
}

function cut(text: string, limits: Limits): string {
  return text.length > limits.characters ? `${text.slice(0, limits.characters)}…` : text;
}

function valueText(column: Column, row: number, depth: number, limits: Limits): string {
  switch (column.kind) {
    case 'primitive': {
      const value = column.data[row];
      if (value === undefined) return '';
      if (column.dtype === 'bool') return value ? 'true' : 'false';
      if (typeof value === 'bigint') return String(value);
      if (limits.exact || Number.isInteger(value)) return String(value);
      return formatNumber(value, column.dtype === 'f32' ? 6 : 8);
    }
    case 'fixed':
      return members(row * column.size, (row + 1) * column.size, limits, (i) =>
        valueText(column.child, i, depth + 1, limits),
      );
    case 'list':
      return members(column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0, limits, (i) =>
        valueText(column.child, i, depth + 1, limits),
      );
    case 'string': {
      const bytes = column.bytes.subarray(column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0);
      const text = new TextDecoder().decode(bytes.subarray(0, limits.characters * 4));
      return depth === 0 ? text : JSON.stringify(text);
    }
    case 'struct': {
      const parts = column.names
        .slice(0, limits.members)
        .map((name, i) => `${name}: ${fieldText(column.children[i], row, depth, limits)}`);
      if (column.names.length > limits.members) parts.push('…');
      return `{${parts.join(', ')}}`;
    }
    case 'optional':
      return column.validity[row] === 0 ? '–' : valueText(column.child, row, depth, limits);
    case 'variant': {
      const child = column.children[column.tags[row] ?? -1];
      return child === undefined ? '–' : valueText(child, column.offsets[row] ?? 0, depth, limits);
    }
    case 'tape':
      return `object of ${(column.offsets[row + 1] ?? 0) - (column.offsets[row] ?? 0)} bytes`;
  }
}

function fieldText(child: Column | undefined, row: number, depth: number, limits: Limits): string {
  return child === undefined ? '–' : valueText(child, row, depth + 1, limits);
}

function members(from: number, to: number, limits: Limits, text: (index: number) => string): string {
  const parts: string[] = [];
  for (let i = from; i < to && parts.length < limits.members; i++) parts.push(text(i));
  const rest = to - from - parts.length;
  if (rest > 0) parts.push(`… ${rest} more`);
  return `[${parts.join(', ')}]`;
}
