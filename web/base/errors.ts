import type { ErrorCode } from './codes';

export type { ErrorCode } from './codes';

/** Where a failure was seen. Offsets and lengths are bytes of the file. */
export interface ErrorPlace {
  url?: string;
  path?: string;
  offset?: number;
  length?: number;
  breadcrumbs?: string[];
  /** The text of an expression; offset and length are then characters of it. */
  expression?: string;
  /**
   * Suggested replacements: each can be put in the place of those characters, or, without an expression, in the
   * place of the address.
   */
  instead?: string[];
}

/** The plain form of an error, as it crosses a worker boundary or is printed as JSON. */
export interface ErrorRecord {
  code: ErrorCode;
  message: string;
  where?: ErrorPlace | undefined;
  fix?: string | undefined;
  cause?: string | undefined;
}

/**
 * The one error class of xylem. `message` says what failed, where, what was expected and found;
 * `fix` says what the reader of the message can do.
 */
export class XylemError extends Error {
  readonly code: ErrorCode;
  readonly where?: ErrorPlace | undefined;
  readonly fix?: string | undefined;

  constructor(record: Omit<ErrorRecord, 'cause'> & { cause?: unknown }) {
    super(record.message, record.cause === undefined ? undefined : { cause: record.cause });
    this.name = 'XylemError';
    this.code = record.code;
    this.where = record.where;
    this.fix = record.fix;
  }

  /** A copy without prototype or stack, fit for postMessage and JSON. */
  toRecord(): ErrorRecord {
    const cause = this.cause instanceof Error ? this.cause.message : asText(this.cause);
    return { code: this.code, message: this.message, where: this.where, fix: this.fix, cause };
  }

  /** The same error with more about its place; known fields are kept. */
  at(place: ErrorPlace): XylemError {
    return new XylemError({ ...this.toRecord(), where: { ...place, ...this.where }, cause: this.cause });
  }
}

function asText(cause: unknown): string | undefined {
  return typeof cause === 'string' ? cause : undefined;
}

/** A caller or a person gave something that is wrong. */
export function argumentError(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'ARGUMENT', message, where, fix });
}

/** Throws ABORTED when the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal.reason);
}

/** Makes an error from a record that came from a worker or from JSON. */
export function fromRecord(record: ErrorRecord): XylemError {
  return new XylemError(record);
}

/**
 * Makes an error of anything that was thrown: a XylemError is kept, an abort gets its code, all else is
 * INTERNAL.
 */
export function toXylemError(thrown: unknown): XylemError {
  if (thrown instanceof XylemError) return thrown;
  if (thrown instanceof Error && thrown.name === 'AbortError') return abortError(thrown);
  if (thrown instanceof TypeError && UNLOADED.test(thrown.message)) return partMissing(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new XylemError({ code: 'INTERNAL', message, cause: thrown });
}

/** A worker ended, or had to be ended, before it answered. Calls can be repeated: another worker takes its place. */
export class WorkerLost extends XylemError {
  /** Set for the task that the worker ran: "late" if it took too long, "ended" if it ended the worker. Waiting tasks have none. */
  readonly during: 'late' | 'ended' | undefined;

  constructor(record: ConstructorParameters<typeof XylemError>[0], during?: WorkerLost['during']) {
    super(record);
    this.during = during;
  }
}

/** The words of browsers for a module that `import()` cannot load: Chromium and Firefox, Safari. */
const UNLOADED = /dynamically imported module|^Importing a module script failed/i;
const PART_MISSING = 'A part of xylem could not be loaded';

/** NETWORK: a script or module of xylem did not come. */
export function partMissing(cause: unknown): XylemError {
  return new XylemError({
    code: 'NETWORK',
    message: `${PART_MISSING}: there is no network now, or a newer version has taken the place of this one.`,
    fix: 'Try again. If that does not help, load the page again.',
    cause,
  });
}

/** Whether a module of xylem could not be loaded. A thread does not load it again, but another one does. */
export function isPartMissing({ code, message }: Pick<ErrorRecord, 'code' | 'message'>): boolean {
  return code === 'NETWORK' && message.startsWith(PART_MISSING);
}

/**
 * A cancelled call is not a failure; it has a code of its own and is never shown as one. `reason` is the
 * signal's reason: it is kept as the cause.
 */
export function abortError(reason?: unknown): XylemError {
  const late = reason instanceof Error && reason.name === 'TimeoutError';
  const message = late
    ? 'The operation was cancelled: it took longer than its signal allows.'
    : 'The operation was cancelled.';
  return new XylemError({ code: 'ABORTED', message, cause: reason });
}
