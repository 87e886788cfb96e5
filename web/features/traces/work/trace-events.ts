import type { PerfRead, PerfReport } from '../../../api/reading';
import { timedName } from './time-by-branch';

/** One event of the Trace Event Format, which Perfetto and chrome://tracing open. Times in microseconds. */
interface TraceEvent {
  name: string;
  cat?: string;
  ph: 'X' | 'M';
  ts?: number;
  dur?: number;
  pid: number;
  tid: number;
  args: Record<string, unknown>;
}

/** The groups of rows: requests to the source, reads from caches, decoding. */
const GROUPS = [
  { name: 'requests', origins: ['network', 'disk'] },
  { name: 'from caches', origins: ['memory', 'store'] },
  { name: 'decoding', origins: ['decode'] },
] as const;

/**
 * Returns the reads of a report in the Trace Event Format (a JSON object with `traceEvents`). Overlapping reads are
 * in different rows, so the number of rows is that of simultaneous reads.
 */
export function traceEvents({ by, file, tree, reads }: PerfReport): { traceEvents: TraceEvent[] } {
  const events: TraceEvent[] = [];
  GROUPS.forEach(({ name, origins }, i) => {
    const own = reads.filter(({ origin }) => (origins as readonly string[]).includes(origin));
    if (own.length === 0) return;
    const pid = i + 1;
    events.push({ name: 'process_name', ph: 'M', pid, tid: 0, args: { name: `${by}: ${name}` } });
    /** The end of the last read of each row. */
    const rows: number[] = [];
    for (const read of [...own].sort((a, b) => a.started - b.started)) {
      let row = rows.findIndex((end) => end <= read.started);
      if (row < 0) row = rows.length;
      rows[row] = read.done;
      events.push(...eventsOf(read, pid, row + 1));
    }
  });
  events.push({ name: 'process_labels', ph: 'M', pid: 1, tid: 0, args: { labels: `${tree} in ${file}` } });
  return { traceEvents: events };
}

/**
 * Returns the events of a read. If the time of the first byte is known, waiting for it is an event within the read.
 */
function eventsOf(read: PerfRead, pid: number, tid: number): TraceEvent[] {
  const { branches, purpose, offset, length, entry, origin, started, answered, done, failed } = read;
  const span = (name: string, from: number, to: number, args: TraceEvent['args']): TraceEvent => ({
    name,
    cat: origin,
    ph: 'X',
    ts: Math.round(from * 1e6),
    dur: Math.max(0, Math.round((to - from) * 1e6)),
    pid,
    tid,
    args,
  });
  const [first = purpose || origin, ...others] = branches;
  const name = others.length === 0 ? first : `${first} and ${others.length} more`;
  const whole = span(name, started, done, { offset, length, entry, branches, ...(failed && { failed }) });
  if (answered > started && answered < done) return [whole, span('waiting', started, answered, {})];
  return [whole, ...phaseEvents(read, span)];
}

/**
 * Returns the work of a decoding task within its event: branches in sequence, each with its phases. The real order
 * within the task is not recorded, so each phase is shown as a sum.
 */
function phaseEvents(
  { phases = [], started, done }: PerfRead,
  span: (name: string, from: number, to: number, args: TraceEvent['args']) => TraceEvent,
): TraceEvent[] {
  let at = started;
  return phases.flatMap(({ branch, ...times }) => {
    const parts: TraceEvent[] = [];
    const from = at;
    for (const phase of ['decompress', 'decode', 'fill'] as const) {
      const end = Math.min(done, at + times[phase] / 1000);
      if (end > at) parts.push(span(phase, at, end, {}));
      at = end;
    }
    return parts.length === 0 ? [] : [span(timedName(branch), from, at, {}), ...parts];
  });
}
