import { useRef } from 'preact/hooks';
import type { PlotWindow } from '../../plot/ranges';

/** The part of a plot that is shown, whoever chose it. */
export interface ShownRange {
  /** The plot: another one has a history of its own. */
  of: unknown;
  now: PlotWindow;
  /** Shows exactly this part; an axis that is undefined is shown whole. */
  show(window: PlotWindow): void;
}

/** Steps through the parts that were shown; undefined if there is none in this direction. */
export interface RangeSteps {
  back: (() => void) | undefined;
  forward: (() => void) | undefined;
}

/** Maximum number of parts that are kept. */
const KEPT = 100;

interface History {
  of: unknown;
  now: PlotWindow;
  past: PlotWindow[];
  future: PlotWindow[];
}

/** Keeps the parts of a plot that were shown one after another, by gestures, fields or links, as `show` can show them again. */
export function useRanges({ of, now, show }: ShownRange): RangeSteps {
  const kept = useRef<History>({ of, now, past: [], future: [] });
  const history = kept.current;
  if (history.of !== of) kept.current = { of, now, past: [], future: [] };
  else if (textOf(history.now) !== textOf(now)) {
    history.past = [...history.past.slice(1 - KEPT), history.now];
    history.future = [];
    history.now = now;
  }
  const { past, future } = kept.current;
  const step = (from: PlotWindow[], to: PlotWindow[]) => {
    const next = from.pop();
    if (next === undefined) return;
    to.push(kept.current.now);
    // The plot is drawn with this part next, which is no new one.
    kept.current.now = next;
    show(next);
  };
  return {
    back: past.length > 0 ? () => step(past, future) : undefined,
    forward: future.length > 0 ? () => step(future, past) : undefined,
  };
}

const textOf = ({ x, y }: PlotWindow): string => JSON.stringify([x ?? null, y ?? null]);
