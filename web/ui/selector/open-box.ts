import { webEndpoint } from '../../../workers/endpoint';
import { transferable } from '../../../workers/protocol';
import { wrap } from '../../../workers/rpc';
import { abortError, type ErrorCode, XylemError } from '../../base/errors';
import type { SelectorBox } from '../../measure/partial/process-rows';
import type { BoxApi, BoxFacts } from './box/box-api';
import { checkedFacts, checkedSelected } from './checked';
import type { SelectorPlace } from './place';

/** ms within which the frame and its workers have to start. */
const START_MS = 15_000;
/** Number of workers: others decode at the same time. */
const WORKERS = Math.min(4, Math.max(2, (globalThis.navigator?.hardwareConcurrency ?? 4) >> 1));

export interface OpenBox extends SelectorBox {
  /** Ends the workers with whatever they do; calls that are under way reject with ABORTED. */
  end(): void;
}

export interface BoxRequest {
  /** The text of the selector, and the script of the workers that run it. */
  text: string;
  script: string;
  /** A part of the entries that takes more ms is ended, and everything with it. */
  limitMs: number;
}

/**
 * Starts a selector in workers of a frame that has no origin, and a policy of its own by which it can connect to nothing:
 * see docs/selectors.md. Throws NETWORK when the frame cannot be loaded, what the text throws, and TIMEOUT.
 */
export async function openBox(place: SelectorPlace, { text, script, limitMs }: BoxRequest): Promise<OpenBox> {
  const { frame, ports } = await startFrame(place, script);
  const members = ports.map((port) => ({ ...wrap<BoxApi>(webEndpoint(port)), busy: false }));
  const end = (error = abortError()): void => {
    frame.remove();
    for (const { close } of members) close(error);
    for (const port of ports) port.close();
  };
  /** Waits for an answer, and for no longer than this. */
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
  const load = async (api: (typeof members)[number]['api']): Promise<BoxFacts> => {
    const core = await place.core();
    const given = transferable({ text, core, set: {} }, [core]);
    return checkedFacts(await limited(api.load(given), Math.max(limitMs, START_MS)));
  };
  try {
    const [facts] = await Promise.all(members.map(({ api }) => load(api)));
    if (!facts) throw noFrame(place);
    const { branches, where, merges, empty } = facts;
    const free: (() => void)[] = [];
    /** A worker does one thing at a time, so that the limit is that of one part. */
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
        const answer = await withMember((api) => api.run(task, transferable(rows, buffers)));
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

/** Loads the frame, and starts its workers, each with a port. */
function startFrame(
  place: SelectorPlace,
  script: string,
): Promise<{ frame: HTMLIFrameElement; ports: MessagePort[] }> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Where selectors run';
  frame.hidden = true;
  frame.src = `${place.folder}frame.html`;
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('message', listen);
    };
    const timer = setTimeout(() => {
      done();
      frame.remove();
      reject(noFrame(place));
    }, START_MS);
    const listen = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.contentWindow || data !== 'xylem-selector') return;
      done();
      const channels = Array.from({ length: WORKERS }, () => new MessageChannel());
      // A document without an origin has no name, so that every target is meant.
      frame.contentWindow?.postMessage(
        script,
        '*',
        channels.map(({ port2 }) => port2),
      );
      resolve({ frame, ports: channels.map(({ port1 }) => port1) });
    };
    addEventListener('message', listen);
    document.body.append(frame);
  });
}

function noFrame({ folder }: SelectorPlace): XylemError {
  return new XylemError({
    code: 'NETWORK',
    message: `The frame in which selectors run could not be loaded from ${folder}.`,
    fix: 'The folder "selector" of the package has to lie there, and a content security policy has to allow it in frame-src. Without a network selectors do not run.',
  });
}

function timeout(ms: number): XylemError {
  return new XylemError({
    code: 'TIMEOUT',
    message: `The selector did not end one part of the entries within ${ms / 1000} s, and was stopped.`,
    fix: 'Look for a loop that does not end, or allow more time.',
  });
}

const CODES: readonly ErrorCode[] = ['ABORTED', 'ARGUMENT', 'BUDGET', 'TIMEOUT', 'UNSUPPORTED', 'CORE_LOST'];

/** An error of a worker may hold anything. */
function plainError(thrown: unknown): XylemError {
  const { code, message, fix } = Object(thrown) as Record<string, unknown>;
  return new XylemError({
    code: CODES.find((one) => one === code) ?? 'ARGUMENT',
    message: typeof message === 'string' ? message.slice(0, 1000) : 'The selector failed.',
    fix: typeof fix === 'string' ? fix.slice(0, 1000) : undefined,
  });
}
