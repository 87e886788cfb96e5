import { FEW_PARTS } from './server-limits';

/** Time in ms after a wrong answer to several ranges before the server is asked for several again. */
const FIRST_PAUSE = 30_000;
/** Maximum of that time, which doubles with each further wrong answer. */
const MAX_PAUSE = 3_600_000;
/** Maximum number of folders. If there are more, the oldest is dropped. */
const MAX_FOLDERS = 1000;

interface Refusal {
  /** Time from which it may be tried again, in ms since 1970. */
  until: number;
  /** Number of refusals in a row. */
  times: number;
}

/**
 * Remembers by folder which servers do not answer several ranges in one request. A server may support it only in some
 * places (nginx has `max_ranges` for each location). A verdict also applies to sub-folders.
 */
export interface PartVerdicts {
  /** Returns the number of ranges that may be requested at once: 0, `FEW_PARTS`, or Infinity if nothing is known. */
  most(url: URL): number;
  /** Records a wrong answer to this many ranges. */
  refuse(url: URL, ranges: number): void;
  /** Records a right answer to this many ranges. */
  accept(url: URL, ranges: number): void;
}

export function createPartVerdicts(now: () => number = Date.now): PartVerdicts {
  /** Refusals of any number of ranges, and of more than a few. */
  const any = new Map<string, Refusal>();
  const many = new Map<string, Refusal>();
  const kindOf = (ranges: number) => (ranges > FEW_PARTS ? many : any);
  const refused = (refusals: Map<string, Refusal>, url: URL): boolean =>
    foldersOf(url).some((folder) => (refusals.get(folder)?.until ?? 0) > now());

  return {
    most(url) {
      if (refused(any, url)) return 0;
      return refused(many, url) ? FEW_PARTS : Number.POSITIVE_INFINITY;
    },
    refuse(url, ranges) {
      const refusals = kindOf(ranges);
      const [folder = ''] = foldersOf(url);
      const times = (refusals.get(folder)?.times ?? 0) + 1;
      refusals.delete(folder);
      refusals.set(folder, { until: now() + Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (times - 1)), times });
      if (refusals.size <= MAX_FOLDERS) return;
      for (const oldest of refusals.keys()) {
        refusals.delete(oldest);
        break;
      }
    },
    accept(url, ranges) {
      const refusals = kindOf(ranges);
      const [folder = ''] = foldersOf(url);
      // An answer that was already on its way during a wrong one does not count.
      if ((refusals.get(folder)?.until ?? 0) <= now()) refusals.delete(folder);
    },
  };
}

/** Returns the folder of an address, and those above it. */
function foldersOf({ origin, pathname }: URL): string[] {
  const parts = pathname.split('/').slice(0, -1);
  return parts.map((_, i) => `${origin}${parts.slice(0, parts.length - i).join('/')}/`);
}
