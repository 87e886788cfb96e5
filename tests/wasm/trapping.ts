import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The core with functions that stop at a fault as soon as they are called: their code is replaced by an
 * `unreachable`. What a hostile file would do to a core that has a defect, it does reliably.
 */
export function trappingCore(...names: string[]): Promise<WebAssembly.Module> {
  const wasm = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));
  const sections = sectionsOf(wasm);
  const imported = countImports(wasm, sections.get(2) ?? 0);
  for (const name of names)
    breakFunction(wasm, sections, functionOf(wasm, sections.get(7) ?? 0, name) - imported);
  return WebAssembly.compile(wasm);
}

/** A number in LEB128, and where it ends. */
function number(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7, at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at + 1];
  }
}

/** Where the contents of each section begin. */
function sectionsOf(bytes: Uint8Array): Map<number, number> {
  const sections = new Map<number, number>();
  for (let at = 8; at < bytes.length; ) {
    const [size, start] = number(bytes, at + 1);
    sections.set(bytes[at] ?? 0, start);
    at = start + size;
  }
  return sections;
}

/** The core imports functions alone. */
function countImports(bytes: Uint8Array, start: number): number {
  return number(bytes, start)[0];
}

function functionOf(bytes: Uint8Array, start: number, name: string): number {
  let [count, at] = number(bytes, start);
  for (; count > 0; count--) {
    const [length, text] = number(bytes, at);
    const found = new TextDecoder().decode(bytes.subarray(text, text + length));
    const [index, end] = number(bytes, text + length + 1);
    if (found === name) return index;
    at = end;
  }
  throw new Error(`The core exports no ${name}.`);
}

function breakFunction(bytes: Uint8Array, sections: Map<number, number>, index: number): void {
  let [, at] = number(bytes, sections.get(10) ?? 0);
  for (; ; index--) {
    const [size, body] = number(bytes, at);
    at = body + size;
    if (index > 0) continue;
    // No locals, `unreachable`, and `nop` up to the `end`.
    bytes.fill(1, body, at);
    bytes[body] = 0;
    bytes[body + 1] = 0;
    bytes[at - 1] = 0x0b;
    return;
  }
}
