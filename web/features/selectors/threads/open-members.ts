import type { Endpoint } from '../../../../workers/endpoint';
import { transferable } from '../../../../workers/protocol';
import { wrap } from '../../../../workers/rpc';
import { onAbort } from '../../../base/abort';
import { abortError, type ErrorCode, WorkerLost, XylemError } from '../../../base/errors';
import type { SelectorBox } from '../work/partial/process-rows';
import type { BoxApi, BoxLoad } from './box-api';
import { checkedFacts, checkedSelected } from './checked';

/** Time in ms within which workers have to start. */
export const START_MS = 15_000;
/** Number of workers of a selector. Others decode at the same time. */
export const MEMBERS = Math.min(4, Math.max(2, (globalThis.navigator?.hardwareConcurrency ?? 4) >> 1));

export interface OpenBox extends SelectorBox {
  /** Ends the workers. Running calls reject with ABORTED. */
  end(): void;
}

export interface MembersOptions {
  /** Returns what one worker loads. */
  load(): Promise<BoxLoad>;
  /** Time limit in ms for a part of the entries. If it is exceeded, all workers are ended. */
  limitMs: number;
  /** Ends the workers. */
  end(): void;
  /** Ends everything, even while the selector is being loaded. */
  signal?: AbortSignal | undefined;
  /** Receives the lines that the code writes to the console, and any other value its worker sends as a line. */
  onLine?: ((line: unknown) => void) | undefined;
}

/**
 * Loads a selector in each of these workers, at least one. Throws the errors of its code, TIMEOUT and ABORTED; the
 * workers are then ended.
 */
export async function openMembers(
  endpoints: readonly Endpoint[],
  { load, limitMs, end: endWorkers, signal, onLine }: MembersOptions,
): Promise<OpenBox> {
  const members = endpoints.map((endpoint) => ({ ...wrap<BoxApi>(endpoint), busy: false }));
  const listening = onLine && { onProgress: onLine };
  let stopListening: () => void = () => {};
  const end = (error = abortError()): void => {
    stopListening();
    endWorkers();
    for (const { close } of members) close(error);
  };
  stopListening = onAbort(signal, () => end());
  /** Waits for an answer for at most `ms` milliseconds. */
  const limited = async <T>(answer: Promise<T>, ms: number): Promise<T> => {
    const timer = setTimeout(() => end(timeout(ms)), ms);
    try {
      return await answer;
    } catch (thrown) {
      throw plainError(thrown);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const [first] = await Promise.all(
      members.map(async ({ api }) => {
        const given = await load();
        const moved = given.core instanceof ArrayBuffer ? [given.core] : [];
        return limited(api.load(transferable(given, moved), listening), Math.max(limitMs, START_MS));
      }),
    );
    const { branches, where, merges, empty } = checkedFacts(first);
    const free: (() => void)[] = [];
    /** A worker does one thing at a time, so the limit applies to one part. */
    const withMember = async <T>(work: (api: (typeof members)[number]['api']) => Promise<T>): Promise<T> => {
      let member = members.find(({ busy }) => !busy);
      while (!member) {
        await new Promise<void>((resolve) => free.push(resolve));
        member = members.find(({ busy }) => !busy);
      }
      member.busy = true;
      try {
        return await limited(work(member.api), limitMs);
      } finally {
        member.busy = false;
        free.shift()?.();
      }
    };
    return {
      ...{ branches, where, empty, concurrency: members.length, end },
      run: async (task, rows) => {
        const lists = [
          rows.entries,
          ...rows.outputs.flatMap((one) => [one.counts, one.strings ?? one.values]),
        ];
        const buffers = [...new Set(lists.map(({ buffer }) => buffer as ArrayBuffer))];
        const answer = await withMember((api) => api.run(task, transferable(rows, buffers), listening));
        return checkedSelected(answer, task);
      },
      merge: merges
        ? async (one, other) => Object(await withMember((api) => api.merge(one, other))) as object
        : undefined,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
}

function timeout(ms: number): XylemError {
  return new XylemError({
    code: 'TIMEOUT',
    message: `The selector did not end one part of the entries within ${ms / 1000} s, and was stopped.`,
    fix: 'Look for a loop that does not end, or allow more time.',
  });
}

const CODES: readonly ErrorCode[] = ['ABORTED', 'ARGUMENT', 'BUDGET', 'TIMEOUT', 'UNSUPPORTED', 'CORE_LOST'];

/** Returns a safe copy of an error. One sent by a worker may contain any value; WorkerLost is created here. */
function plainError(thrown: unknown): XylemError {
  if (thrown instanceof WorkerLost) return thrown;
  const { code, message, fix } = Object(thrown) as Record<string, unknown>;
  return new XylemError({
    code: CODES.find((one) => one === code) ?? 'ARGUMENT',
    message: typeof message === 'string' ? message.slice(0, 1000) : 'The selector failed.',
    fix: typeof fix === 'string' ? fix.slice(0, 1000) : undefined,
  });
}
