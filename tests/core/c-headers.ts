// Reads declarations out of the C headers, for tests that compare them with what TypeScript repeats.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** A header below wasm/, without its comments. */
export function header(path: string): string {
  return read(`wasm/${path}`).replace(/\/\*[\s\S]*?\*\//g, '');
}

/** The constants of the enum that has this one, with their values, numbered as C does. Throws when there is none. */
export function enumOf(text: string, member: string): Map<string, number> {
  const body = [...text.matchAll(/enum\s*\w*\s*\{([^}]*)\}/g)]
    .map((match) => match[1] ?? '')
    .find((found) => new RegExp(`\\b${member}\\b`).test(found));
  if (body === undefined) throw new Error(`No enum has ${member}.`);
  const values = new Map<string, number>();
  let next = 0;
  for (const entry of body.split(',')) {
    const [name = '', value] = entry.split('=').map((part) => part.trim());
    if (name === '') continue;
    next = value === undefined ? next : (values.get(value) ?? Number(value));
    values.set(name, next++);
  }
  return values;
}

/** "XY_M_BESSEL_I0" without its prefix, as TypeScript names it: "besselI0". */
export function camel(name: string, prefix: string): string {
  return name
    .slice(prefix.length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The table that an enum makes. */
export function tableOf(values: Map<string, number>, prefix: string): Record<string, number> {
  return Object.fromEntries([...values].map(([name, value]) => [camel(name, prefix), value]));
}

/** The names of an enum that counts from 0, without the last one, which is their number. */
export function listOf(text: string, prefix: string, first: string, last: string): string[] {
  const values = enumOf(text, first);
  const names = [...values.keys()].slice(0, values.get(last));
  return names.map((name) => camel(name, prefix));
}

/** Functions as "name(number of parameters)", with "void" where they return nothing. */
export function functionsOf(text: string, declaration: RegExp): string[] {
  return [...text.matchAll(declaration)]
    .map(({ groups: { name = '', parameters = '', result = '' } = {} }) => {
      const count = parameters.split(',').filter((part) => !/^\s*(void\s*)?$/.test(part)).length;
      return `${name}(${count})${result.trim() === 'void' ? ' void' : ''}`;
    })
    .sort();
}

/** The functions that headers export. */
export function exportsOf(...paths: string[]): string[] {
  return functionsOf(
    paths.map(header).join('\n'),
    /X[YEF]_EXPORT\(\w+\)\s*(?<result>[\w\s]+?[\s*]+)(?<name>x[yewf]_\w+)\((?<parameters>[^)]*)\);/g,
  );
}

/** The functions of an interface of TypeScript and of those that it extends. */
export function methodsOf(path: string, ...interfaces: string[]): string[] {
  const text = read(path);
  const bodies = interfaces.map((name) => {
    const body = new RegExp(`interface ${name}[^{]*\\{([^}]*)\\}`).exec(text)?.[1];
    if (body === undefined) throw new Error(`There is no interface ${name} in ${path}.`);
    return body;
  });
  return functionsOf(bodies.join('\n'), /(?<name>x[yewf]_\w+)\((?<parameters>[^)]*)\):\s*(?<result>\w+)/g);
}

/** A member of a struct as it lies in memory. */
export interface Member {
  /** Members of a struct within are `outer.inner`; those of an array of structs have its index. */
  name: string;
  type: string;
  at: number;
  /** Number of elements of an array; 1 for others. */
  count: number;
}

const SIZES: Record<string, number> = {
  ...{ double: 8, int64_t: 8, uint64_t: 8, int32_t: 4, uint32_t: 4, size_t: 4 },
  ...{ uint16_t: 2, uint8_t: 1, char: 1, bool: 1 },
};

/** Bytes of a type where pointers have 32 bits, as in WebAssembly. `structs`: headers with the structs within. */
function sizeOf(type: string, structs: string): number {
  if (type.endsWith('*')) return 4;
  return SIZES[type] ?? structOf(structs, type).bytes;
}

/** The members of a struct and its size, as they are in WebAssembly. */
export function structOf(text: string, name: string): { members: Member[]; bytes: number } {
  const body = bodyOf(text, name);
  return layOut(body, text);
}

function bodyOf(text: string, name: string): string {
  const before = new RegExp(`struct ${name} \\{`).exec(text);
  if (before) return insideOf(text, before.index + before[0].length);
  const after = new RegExp(`\\}\\s*${name};`).exec(text);
  if (!after) throw new Error(`There is no struct ${name}.`);
  let depth = 0;
  for (let i = after.index; i >= 0; i--) {
    if (text[i] === '}') depth++;
    if (text[i] === '{' && --depth === 0) return text.slice(i + 1, after.index);
  }
  throw new Error(`The struct ${name} has no beginning.`);
}

/** The text up to the brace that closes the one before `from`. */
function insideOf(text: string, from: number): string {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return text.slice(from, i);
  }
  throw new Error('A brace is not closed.');
}

function layOut(body: string, text: string): { members: Member[]; bytes: number } {
  const members: Member[] = [];
  let at = 0;
  let widest = 1;
  const put = (name: string, type: string, count: number): void => {
    const inner = type.endsWith('*') || SIZES[type] ? undefined : structOf(text, type);
    const size = sizeOf(type, text);
    const align = inner ? Math.max(...inner.members.map((one) => alignOf(one.type))) : size;
    at = Math.ceil(at / align) * align;
    widest = Math.max(widest, align);
    if (!inner) members.push({ name, type, at, count });
    for (let i = 0; inner && i < count; i++) add(inner, count > 1 ? `${name}.${i}` : name, at + i * size);
    at += size * count;
  };
  const add = (inner: { members: Member[] }, name: string, from: number): void => {
    for (const one of inner.members) members.push({ ...one, name: `${name}.${one.name}`, at: from + one.at });
  };
  const countOf = (dimension: string | undefined): number => {
    if (dimension === undefined) return 1;
    return /^\d+$/.test(dimension) ? Number(dimension) : (enumOf(text, dimension).get(dimension) ?? 0);
  };
  let rest = body;
  for (;;) {
    const nested = /^\s*struct\s*\{/.exec(rest);
    if (nested) {
      const inside = insideOf(rest, nested[0].length);
      const [whole = '', name = '', dimension] =
        /^\}\s*(\w+)(?:\[(\w+)\])?;/.exec(rest.slice(nested[0].length + inside.length)) ?? [];
      const inner = layOut(inside, text);
      const count = countOf(dimension);
      at = Math.ceil(at / 8) * 8;
      for (let i = 0; i < count; i++) add(inner, `${name}.${i}`, at + i * inner.bytes);
      at += count * inner.bytes;
      widest = 8;
      rest = rest.slice(nested[0].length + inside.length + whole.length);
      continue;
    }
    const end = rest.indexOf(';');
    if (end < 0) break;
    const line = rest
      .slice(0, end)
      .trim()
      .replace(/^const /, '');
    rest = rest.slice(end + 1);
    const [, type = '', names = ''] = /^(\w+)([\s\S]*)$/.exec(line) ?? [];
    for (const one of names.split(',')) {
      const [, star = '', name = '', dimension] = /^\s*(\*)?\**\s*(\w+)(?:\[(\w+)\])?\s*$/.exec(one) ?? [];
      put(name, `${type}${star}`, countOf(dimension));
    }
  }
  return { members, bytes: Math.ceil(at / widest) * widest };
}

function alignOf(type: string): number {
  return type.endsWith('*') ? 4 : (SIZES[type] ?? 8);
}
