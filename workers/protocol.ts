import type { ErrorRecord } from '../web/base/errors';

/**
 * Messages between threads. The client sends `call`, `abort` and `ping`. The server answers each call with any number
 * of `progress` messages, then one `result` or `error`; and a ping with a `result`.
 */
export type Message =
  | { xylem: 'call'; id: number; method: string; args: unknown[]; options?: OptionsMark | undefined }
  | { xylem: 'abort'; id: number }
  /** Checks whether the other side still answers. */
  | { xylem: 'ping'; id: number }
  | { xylem: 'progress'; id: number; value: unknown }
  | { xylem: 'result'; id: number; value: unknown }
  | { xylem: 'error'; id: number; error: ErrorRecord };

/** Position of the options among the arguments, and the names of callbacks that stay on the other side. */
export interface OptionsMark {
  at: number;
  signal: boolean;
  progress: boolean;
}

/** Whether a value is a message of this protocol. Others on the same port are ignored. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'xylem' in value && 'id' in value;
}

const flagged = new WeakMap<object, Transferable[] | undefined>();

/**
 * Marks the buffers of a result or task to be moved to the other side instead of copied; this side loses them.
 * Without a list, all buffers of its typed arrays are moved, so none of them may be a view of memory that is still
 * used, such as a cache or WebAssembly memory.
 */
export function transferable<T extends object>(value: T, list?: Transferable[]): T {
  flagged.set(value, list);
  return value;
}

/** The transfer list of a value: empty unless it was marked by `transferable`. */
export function transferList(value: unknown): Transferable[] {
  if (typeof value !== 'object' || value === null || !flagged.has(value)) return [];
  return flagged.get(value) ?? buffersOf(value);
}

/** Returns all different ArrayBuffers in plain objects, arrays and maps, at any depth. */
function buffersOf(value: object): ArrayBuffer[] {
  const seen = new Set<object>();
  const buffers = new Set<ArrayBuffer>();
  const todo: object[] = [value];
  for (let item = todo.pop(); item; item = todo.pop()) {
    if (seen.has(item)) continue;
    seen.add(item);
    if (item instanceof ArrayBuffer) buffers.add(item);
    else if (ArrayBuffer.isView(item)) {
      if (item.buffer instanceof ArrayBuffer) buffers.add(item.buffer);
    } else {
      const members = item instanceof Map ? [...item.keys(), ...item.values()] : Object.values(item);
      for (const member of members) if (typeof member === 'object' && member !== null) todo.push(member);
    }
  }
  return [...buffers];
}
