import type { CallOptions, Progress } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import { READER_METHODS } from '../api/reader-methods';
import type { ByteReader } from '../io/fetch/reader';
import type { ServerTrouble } from '../io/source';

/** Requests are reported this often in ms, also while nothing comes. */
const TICK_MS = 1000;

const NOTHING: Progress = { label: '', bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };

type Method = (...args: unknown[]) => unknown;

/**
 * The same calls. Progress of those that report it also says how many requests are left, and whether their server
 * answers; `readers` are those of the open files.
 */
export function watchCalls(api: EngineApi, readers: Iterable<ByteReader>): EngineApi {
  const calls: Record<string, Method> = {};
  for (const name of Object.keys(READER_METHODS) as (keyof EngineApi)[]) {
    const method = (api[name] as Method).bind(api);
    calls[name] = (...args) => {
      const options = args.at(-1);
      if (!reportsProgress(options)) return method(...args);
      return watched(options, readers, (own) => method(...args.slice(0, -1), own));
    };
  }
  return calls as unknown as EngineApi;
}

type Reporting = Required<Pick<CallOptions, 'onProgress'>> & CallOptions;

function reportsProgress(options: unknown): options is Reporting {
  return (
    typeof options === 'object' &&
    options !== null &&
    'onProgress' in options &&
    typeof options.onProgress === 'function'
  );
}

async function watched(
  options: Reporting,
  readers: Iterable<ByteReader>,
  run: (options: CallOptions) => unknown,
): Promise<unknown> {
  const onProgress = options.onProgress as (progress: Progress) => void;
  let last = NOTHING;
  let requests: Progress['requests'];
  const timer = setInterval(() => {
    const before = requests;
    requests = requestsOf(readers);
    if (requests || before) onProgress(withRequests(last, requests));
  }, TICK_MS);
  try {
    return await run({
      ...options,
      onProgress: (progress) => {
        // Histograms are not sent again.
        const { partial: _partial, ...counts } = progress;
        last = counts;
        onProgress(withRequests(progress, requests));
      },
    });
  } finally {
    clearInterval(timer);
  }
}

function withRequests(progress: Progress, requests: Progress['requests']): Progress {
  return requests ? { ...progress, requests } : progress;
}

/** The requests of all files; undefined when there are none. */
function requestsOf(readers: Iterable<ByteReader>): Progress['requests'] {
  let left = 0;
  let trouble: ServerTrouble | undefined;
  for (const reader of readers) {
    if (reader.requestsLeft === 0) continue;
    left += reader.requestsLeft;
    trouble ??= reader.source.trouble?.();
  }
  return left > 0 ? { left, ...(trouble && { trouble }) } : undefined;
}
