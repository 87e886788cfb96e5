import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

// size_t has 32 bits in wasm: a count of a file times a size can wrap around to a small number, and
// emmalloc's calloc multiplies without looking. So memory for what is counted is taken by the helpers
// of src/buffer.h alone (xy_bytes_of, xy_new, xy_copy, xy_grow, xy_extend_items), which look.

const folder = resolve(import.meta.dirname, '../../wasm/src');

function sources(): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => ({
      name,
      text: readFileSync(resolve(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
    }));
}

/** The arguments of each call of a function, without those of calls of `xy_bytes_of` within. */
function callsOf(text: string, name: RegExp): string[] {
  const calls: string[] = [];
  for (const match of text.matchAll(new RegExp(`\\b${name.source}\\(`, 'g'))) {
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end++) {
      if (text[end] === '(') depth++;
      if (text[end] === ')') depth--;
    }
    calls.push(text.slice(start, end - 1).replace(/xy_bytes_of\((?:[^()]|\([^()]*\))*\)/g, 'bytes'));
  }
  return calls;
}

test('memory is taken in one place', () => {
  const found = sources()
    .filter(({ name }) => name !== 'memory.c')
    .flatMap(({ name, text }) => callsOf(text, /(?:malloc|calloc|realloc|aligned_alloc)/).map(() => name));
  expect(found).toEqual([]);
});

test('no product of a count is a number of bytes to reserve, append or take', () => {
  const product = /[\w)\]] \* [\w(]/;
  const found = sources()
    .filter(({ name }) => name !== 'buffer.h')
    .flatMap(({ name, text }) =>
      callsOf(text, /xy_(?:extend|reserve|append|take)/)
        .map((call) => call.split(',').at(-1) ?? '')
        .filter((bytes) => product.test(bytes))
        .map((bytes) => `${name}: ${bytes.trim()}`),
    );
  expect(found).toEqual([]);
});

test('the helpers are what the others use', () => {
  const all = sources()
    .map(({ text }) => text)
    .join('\n');
  expect(callsOf(all, /xy_new/).length).toBeGreaterThan(20);
  expect(callsOf(all, /xy_extend_items/).length).toBeGreaterThan(8);
});
