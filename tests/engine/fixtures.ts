import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceSpec } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { filledSlot } from '../../web/base/slot';
import type { Column } from '../../web/core/columns';
import { nodeModules } from '../../web/core/modules/node-modules';
import { createEngine } from '../../web/engine/engine';
import { rowWriter } from '../../web/export/canonical';
import * as features from '../../web/features/node';
import type { NodePart } from '../../web/features/work-part';
import { createBufferSource } from '../../web/io/buffer-source';
import type { ByteSource } from '../../web/io/source';
import type { TaskRunner } from '../../web/pass/types';

const root = resolve(import.meta.dirname, '../..');
export const fixtureFolder = resolve(root, 'tests/fixtures/files');
const goldenFolder = resolve(root, 'tests/fixtures/golden');

/** A value in the canonical form; integers of 16 digits and more are texts "integer …". */
export type Canonical = null | boolean | number | string | Canonical[] | { [member: string]: Canonical };

export interface GoldenBranch {
  typename: string;
  oracle: string | null;
  group?: boolean;
  n?: number;
  values?: Canonical[];
  flat?: { dtype: string; count: number; crc32: string; offsets_crc32: string | null };
}

/** A histogram that TTree::Draw fills. ROOT counts NaN as overflow. */
export interface GoldenDraw {
  branch: string;
  bins: number;
  low: number;
  high: number;
  counts: number[];
  underflow: number;
  overflow: number;
  values: number;
  nan: number;
  /** Mean of the values inside the axis, as TH1::GetMean returns it. */
  mean_inside: number;
  std_dev_inside: number;
  min: number;
  max: number;
}

export interface GoldenTree {
  kind: 'TTree' | 'RNTuple';
  entries: number;
  draws?: GoldenDraw[];
  branches: Record<string, GoldenBranch>;
}

export interface Golden {
  file: string;
  bytes: number;
  keys: { path: string; cycle: number; class: string; title: string }[];
  trees: Record<string, GoldenTree>;
  objects: Record<string, { class: string; summary: { [name: string]: Canonical } | null }>;
}

export function goldenNames(): string[] {
  return readdirSync(goldenFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .sort();
}

export function readGolden(name: string): Golden {
  return parseExact(readFileSync(resolve(goldenFolder, `${name}.json`), 'utf8')) as unknown as Golden;
}

export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(resolve(fixtureFolder, `${name}.root`)));
}

/** JSON whose long integers stay exact: they become texts. */
export function parseExact(text: string): Canonical {
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  const kept = text.replace(token, (part) => (/^-?\d{16,}$/.test(part) ? `"integer ${part}"` : part));
  return JSON.parse(kept) as Canonical;
}

/** The rows of a column in the canonical form, through the same text that the command line prints. */
export function canonicalRows(column: Column): Canonical[] {
  const write = rowWriter(column);
  const parts: string[] = [];
  for (let row = 0; row < column.length; row++) {
    if (row > 0) parts.push(',');
    write(row, (piece) => parts.push(piece));
  }
  return parseExact(`[${parts.join('')}]`) as Canonical[];
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** An engine over files in memory, each given by the source that `wrap` makes of it; without a runner, this thread decodes. */
export async function makeEngine(
  wrap: (source: ByteSource) => ByteSource = (source) => source,
  core?: WebAssembly.Module,
  runner?: TaskRunner,
): Promise<EngineApi> {
  compiled ??= WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
  return createEngine({
    selectors: filledSlot<NodePart, 'process'>(features, 'process'),
    module: core ?? (await compiled),
    runner,
    modules: nodeModules,
    openSource: async (spec: SourceSpec) => {
      if (spec.kind === 'path') return wrap(createBufferSource(bytesOfPath(spec.path), spec.path));
      if (spec.kind !== 'buffer')
        throw new XylemError({ code: 'ARGUMENT', message: 'A buffer or a path is expected.' });
      return wrap(createBufferSource(spec.buffer, spec.name));
    },
  });
}

function bytesOfPath(path: string): ArrayBuffer {
  if (!existsSync(path)) throw new XylemError({ code: 'NOT_FOUND', message: `${path} is not there.` });
  return new Uint8Array(readFileSync(path)).buffer;
}

/** The bytes as a source, copied: a Buffer of Node is a part of a larger one, and its slice() is no copy. */
export function bufferSpec(name: string, bytes: Uint8Array): SourceSpec {
  return { kind: 'buffer', name: `${name}.root`, buffer: new Uint8Array(bytes).buffer };
}

/**
 * A source that is as awkward as the interface allows: bytes lie at odd addresses within larger
 * buffers full of other bytes, answers come late and the last question is answered first.
 */
export function awkwardSource(source: ByteSource): ByteSource {
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> =>
    new Promise((go) => {
      waiting.push(go);
      setTimeout(() => waiting.pop()?.(), 1);
    });
  return {
    name: source.name,
    concurrency: 3,
    info: () => ({}),
    async read(offset, length, signal) {
      const bytes = await source.read(offset, length, signal);
      await turn();
      const larger = new Uint8Array(bytes.length + 24).fill(0xa5);
      const at = 1 + 2 * (offset % 5);
      larger.set(bytes, at);
      return larger.subarray(at, at + bytes.length);
    },
  };
}

/** Where two canonical values differ first, or undefined. `tolerance` is relative, for computed numbers. */
export function difference(
  want: Canonical,
  got: Canonical | undefined,
  path = '',
  tolerance = 0,
): string | undefined {
  if (Array.isArray(want) && Array.isArray(got)) {
    if (want.length !== got.length) return `${path}: want ${want.length} members, got ${got.length}`;
    for (const [i, item] of want.entries()) {
      const found = difference(item, got[i], `${path}[${i}]`, tolerance);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isMembers(want) && got !== undefined && isMembers(got)) {
    const names = Object.keys(want);
    if (names.join() !== Object.keys(got).join()) {
      return `${path}: want the members ${names.join(', ')}, got ${Object.keys(got).join(', ')}`;
    }
    for (const name of names) {
      const found = difference(want[name] ?? null, got[name], `${path}.${name}`, tolerance);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Object.is(want, got)) return undefined;
  if (typeof want === 'number' && typeof got === 'number') {
    if (Math.abs(want - got) <= tolerance * Math.max(Math.abs(want), Math.abs(got))) return undefined;
  }
  return `${path}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`.slice(0, 300);
}

function isMembers(value: Canonical): value is { [member: string]: Canonical } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
