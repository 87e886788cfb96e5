import type { CallOptions, ChainPart, FileInfo, WholeSource } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { Sink } from '../../../api/sink';
import type { InputHost, MergeInput, WriteApi, WriteHost, WriteWork } from '../../../api/write';
import { throwIfAborted } from '../../../base/abort';
import { internal } from '../../../base/data-errors';
import { abortError, argumentError, type XylemError } from '../../../base/errors';
import { ioError } from '../../../base/io-error';
import { CALL, checkOptions, type Rule } from '../../../base/options';
import { HEAL, MERGE, PLAN_HEAL, PLAN_SKIM, ROOT, SALVAGE, SKIM } from './options';

const RULES = {
  heal: HEAL,
  skim: SKIM,
  salvage: SALVAGE,
  merge: MERGE,
  exportTree: ROOT,
  histogram: CALL,
  planHeal: PLAN_HEAL,
  planSkim: PLAN_SKIM,
  planMerge: MERGE,
} as const satisfies Record<string, { readonly [name: string]: Rule }>;

/**
 * Makes a writer. `work` writes, in this thread or in another; `load` returns xylem-write.wasm. Both are called for
 * the first write.
 */
export function createWriteApi(
  reader: EngineApi,
  work: () => WriteWork | Promise<WriteWork>,
  load: () => Promise<WebAssembly.Module>,
): WriteApi {
  async function run<T>(
    verb: keyof typeof RULES,
    sink: Sink,
    inputs: readonly MergeInput[],
    call: CallOptions & { verify?: boolean | undefined },
    write: (work: WriteWork, host: WriteHost, writer: WebAssembly.Module) => Promise<T>,
  ): Promise<T> {
    const own = guarded(sink);
    try {
      checkOptions(verb, call, RULES[verb]);
      throwIfAborted(call.signal);
      if (call.verify && !sink.written) throw notReadable();
      await sink.refuse?.(inputs.flatMap(pathsOf));
      const [working, writer] = await Promise.all([work(), load()]);
      const result = await write(working, hostOf(reader, own, inputs), writer);
      throwIfAborted(call.signal);
      await own.close();
      return result;
    } catch (thrown) {
      await own.abort();
      throw thrown;
    }
  }
  async function plan<T, Options extends { name?: string | undefined }>(
    verb: keyof typeof RULES,
    file: Pick<FileInfo, 'name'>,
    options: Options,
    tell: (work: WriteWork, task: Options & { name: string; writer: WebAssembly.Module }) => Promise<T>,
  ): Promise<T> {
    checkOptions(verb, options, RULES[verb]);
    const [working, writer] = await Promise.all([work(), load()]);
    return tell(working, { ...options, name: options.name ?? nameOf({}, file.name), writer });
  }
  return {
    heal: (file, sink, options = {}) =>
      run('heal', sink, [{ file }], options, (working, host, writer) => {
        const { verify = sink.written !== undefined, name = nameOf(sink, file.name) } = options;
        return working.heal(file, host, { ...options, verify, name, writer });
      }),
    skim: (file, sink, options = {}) =>
      run('skim', sink, [{ file }], options, (working, host, writer) =>
        working.skim(file, host, { ...options, name: options.name ?? nameOf(sink, file.name), writer }),
      ),
    salvage: (file, sink, options = {}) =>
      run('salvage', sink, [{ file }], options, (working, host, writer) => {
        const { verify = sink.written !== undefined, name = nameOf(sink, file.name) } = options;
        return working.salvage(file, host, { ...options, verify, name, writer });
      }),
    merge: (inputs, sink, options = {}) =>
      run('merge', sink, inputs, options, (working, host, writer) => {
        const name = options.name ?? nameOf(sink, 'merged.root');
        return working.merge(inputs.map(nameOfInput), host, { ...options, name, writer });
      }),
    exportTree: (file, request, sink, options = {}) =>
      run('exportTree', sink, [{ file }], options, (working, host, writer) =>
        working.exportTree(file, host, {
          ...options,
          request,
          name: options.name ?? nameOf(sink, 'new.root'),
          writer,
        }),
      ),
    histogram: (histogram, sink, options = {}) =>
      run('histogram', sink, [], options, (working, host, writer) =>
        working.histogram(histogram, host, { ...options, name: nameOf(sink, 'histogram.root'), writer }),
      ),
    planHeal: (file, options = {}) =>
      plan('planHeal', file, options, (working, task) => working.planHeal(file, task)),
    planSkim: (file, options = {}) =>
      plan('planSkim', file, options, (working, task) => working.planSkim(file, task)),
    planMerge: (inputs, options = {}) =>
      plan('planMerge', { name: 'merged.root' }, options, (working, task) =>
        working.planMerge(inputs.map(nameOfInput), inputHost(reader, inputs), task),
      ),
  };
}

/** Returns the names of the files of an input. Some of them are paths. */
function pathsOf(input: MergeInput): readonly string[] {
  if ('file' in input) return input.file.files ?? [input.file.name];
  const { source } = input;
  const parts = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
  return parts.map((part) => (part.kind === 'within' ? nameOfPlace(part.outer) : nameOfPlace(part)));
}

/** Returns the files that are opened as one chain, if entries are chosen of several files. */
function filesOf(input: MergeInput): ChainPart[] {
  if ('file' in input) {
    throw argumentError(
      `Entries cannot be chosen of "${input.file.name}", which is open.`,
      'Give all inputs as sources, or skim each file.',
    );
  }
  const { source } = input;
  return source.kind === 'chain' ? source.files : [{ source }];
}

const nameOfPlace = (source: WholeSource): string => (source.kind === 'path' ? source.path : '');

/** Returns the name without folders, because paths of this machine do not belong into a file. */
export function nameOf(sink: Pick<Sink, 'name'>, input: string): string {
  return sink.name ?? (input.split(/[?#]/, 1)[0]?.split(/[\\/]/).pop() || 'new.root');
}

export interface GuardedSink {
  write(at: number, bytes: Uint8Array): Promise<void>;
  written: Sink['written'];
  begin: WriteHost['begin'];
  close(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Wraps a sink: it takes nothing after its end, its errors get the code IO, and it is ended only when no write is
 * under way.
 */
export function guarded(sink: Sink): GuardedSink {
  let ended = false;
  let writing: Promise<void> = Promise.resolve();
  const typed = async (run: () => Promise<void> | undefined): Promise<void> => {
    try {
      await run();
    } catch (thrown) {
      if (thrown instanceof Error && thrown.name === 'AbortError') throw abortError(thrown);
      throw ioError(
        `${sink.name === undefined ? 'The new file' : `"${sink.name}"`} cannot be written`,
        thrown,
      );
    }
  };
  return {
    async write(at, bytes) {
      if (ended) throw abortError();
      writing = typed(() => sink.write(at, bytes));
      await writing;
    },
    written: sink.written?.bind(sink),
    begin: sink.journal?.begin.bind(sink.journal),
    async close() {
      ended = true;
      await typed(() => sink.close?.());
    },
    async abort() {
      ended = true;
      // The reason of the abort is thrown. Later failures are only its consequences.
      await writing.catch(() => {});
      await sink.abort?.().catch(() => {});
    },
  };
}

const nameOfInput = (input: MergeInput): string => ('file' in input ? input.file.name : input.name);

function hostOf(reader: EngineApi, sink: GuardedSink, inputs: readonly MergeInput[]): WriteHost {
  return {
    ...inputHost(reader, inputs),
    write: (at, bytes) => sink.write(at, bytes),
    begin: sink.begin,
    written: async () => {
      if (!sink.written) throw notReadable();
      const source = await sink.written();
      return source && reader.open(source);
    },
  };
}

function inputHost(reader: EngineApi, inputs: readonly MergeInput[]): InputHost {
  const own = new Set(inputs.flatMap((input) => ('file' in input ? [input.file.id] : [])));
  return {
    open: async (index) => {
      const input = inputs[index];
      if (!input) throw internal(`There is no input ${index}.`);
      return 'file' in input ? input.file : reader.open(input.source);
    },
    small: (index) => {
      const input = inputs[index];
      return input && 'small' in input ? input.small?.() : undefined;
    },
    openChain: () => reader.open({ kind: 'chain', files: inputs.flatMap(filesOf) }),
    close: async ({ id }) => {
      if (!own.has(id)) await reader.close(id);
    },
  };
}

/** Returns the error for a sink whose file cannot be read back, so that it cannot be verified. */
function notReadable(): XylemError {
  return argumentError(
    'The sink has no written(), so that the new file cannot be read back and verified.',
    'Give the sink this function, or leave "verify" out.',
  );
}
