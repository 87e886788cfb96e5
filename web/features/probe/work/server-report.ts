import { formatBytes } from '../../../base/format';
import { column, type Report, type Table } from '../../../report/report';
import type { Remedy } from './probe-remedies';
import type { ProbeReport, ProbeState } from './probe-report';

/** The state of one feature of a server. */
export interface ServerCheck {
  id: string;
  title: string;
  state: ProbeState;
  /** The observation. */
  found: string;
  /** Its consequence, if there is one. */
  meaning?: string | undefined;
}

/** The features of a server that matter for reading a file. */
export interface ServerReport {
  url: string;
  /** Whether pages can read the file well. */
  ok: boolean;
  /** The server program; null if unknown. */
  server: string | null;
  facts: {
    size: number | undefined;
    server?: string | undefined;
    /** Facts of HTTP. */
    redirected?: boolean;
    finalUrl?: string;
    /** Facts of XRootD. */
    redirectedTo?: string | undefined;
  };
  checks: readonly ServerCheck[];
  /** Configuration lines for missing features. */
  remedies: readonly Remedy[];
}

/** Converts the result of a probe over HTTP to the form common to all protocols. */
export function serverFound({ kind, facts, ...report }: ProbeReport): ServerReport {
  const ok = report.checks.every(({ state }) => state !== 'bad');
  return { url: facts.url, ok, server: kind ?? null, facts, ...report };
}

const CHECKS: Pick<Table<ServerCheck>, 'id' | 'columns' | 'hint'> = {
  id: 'checks',
  columns: [
    column('what', 'What', 'text', ({ title }) => title),
    column('state', 'State', 'grade', ({ state }) => (state === 'unknown' ? '–' : state)),
    column('found', 'Found', 'text', ({ found }) => found),
  ],
  hint: ({ meaning }) => meaning,
};

export function serverReport({ url, server, facts, checks, remedies }: ServerReport): Report {
  const { size, redirected, finalUrl, redirectedTo = redirected ? finalUrl : undefined } = facts;
  const name = facts.server ?? server ?? undefined;
  return {
    title: url,
    facts: [
      { label: 'Size', value: size === undefined ? 'not told' : formatBytes(size) },
      { label: 'Server', value: name },
      { label: 'Redirected to', value: redirectedTo },
    ],
    tables: [{ ...CHECKS, rows: checks }],
    commands: remedies.map(({ server, place, lines, note }) => ({
      title: `Lines for ${server}, ${place}`,
      lines,
      note,
    })),
  };
}
