import type { ErrorCode } from './codes';

export type { ErrorCode } from './codes';

/** Place of a failure. Offsets and lengths are bytes of the file. */
export interface ErrorPlace {
  url?: string;
  path?: string;
  offset?: number;
  length?: number;
  breadcrumbs?: string[];
  /** Text of an expression. Offset and length are then characters of this text. */
  expression?: string;
  /** Suggested replacements for these characters or, without an expression, for the address. */
  instead?: string[];
}

/** Plain form of an error, for messages between threads and for JSON. */
export interface ErrorRecord {
  code: ErrorCode;
  message: string;
  where?: ErrorPlace | undefined;
  fix?: string | undefined;
  cause?: string | undefined;
}

/**
 * The only error class of xylem. `message` says what failed and where, what was expected, and what was found. `fix`
 * says what the user can do.
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

  /** Returns a copy without prototype and stack, for postMessage and JSON. */
  toRecord(): ErrorRecord {
    const cause = this.cause instanceof Error ? this.cause.message : asText(this.cause);
    return { code: this.code, message: this.message, where: this.where, fix: this.fix, cause };
  }

  /** Returns the same error with additional facts about its place. Existing facts are not replaced. */
  at(place: ErrorPlace): XylemError {
    return new XylemError({ ...this.toRecord(), where: { ...place, ...this.where }, cause: this.cause });
  }
}

function asText(cause: unknown): string | undefined {
  return typeof cause === 'string' ? cause : undefined;
}

/** Returns an ARGUMENT error: the caller or the user gave a wrong value. */
export function argumentError(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'ARGUMENT', message, where, fix });
}

/** Throws ABORTED if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal.reason);
}

/** Returns an error for a record from a worker or from JSON. */
export function fromRecord(record: ErrorRecord): XylemError {
  return new XylemError(record);
}

/**
 * Converts anything that was thrown to an XylemError. An XylemError is returned unchanged, an abort becomes ABORTED,
 * and everything else INTERNAL.
 */
export function toXylemError(thrown: unknown): XylemError {
  if (thrown instanceof XylemError) return thrown;
  if (thrown instanceof Error && thrown.name === 'AbortError') return abortError(thrown);
  if (thrown instanceof TypeError && UNLOADED.test(thrown.message)) return partMissing(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new XylemError({ code: 'INTERNAL', message, cause: thrown });
}

/**
 * A worker ended, or had to be ended, before it answered. The call can be repeated, because another worker replaces it.
 */
export class WorkerLost extends XylemError {
  /**
   * Set for the task that the worker was running: "late" if it took too long, "ended" if it ended the worker. Undefined
   * for waiting tasks.
   */
  readonly during: 'late' | 'ended' | undefined;

  constructor(record: ConstructorParameters<typeof XylemError>[0], during?: WorkerLost['during']) {
    super(record);
    this.during = during;
  }
}

/** Error messages of browsers for a module that `import()` cannot load: Chromium and Firefox, Safari. */
const UNLOADED = /dynamically imported module|^Importing a module script failed/i;
const PART_MISSING = 'A part of xylem could not be loaded';

/** Returns a NETWORK error: a script or module of xylem could not be loaded. */
export function partMissing(cause: unknown): XylemError {
  return new XylemError({
    code: 'NETWORK',
    message: `${PART_MISSING}: there is no network now, or a newer version has taken the place of this one.`,
    fix: 'Try again. If that does not help, load the page again.',
    cause,
  });
}

/**
 * Whether the error is that of a module of xylem that could not be loaded. The same thread cannot try again, but
 * another one can.
 */
export function isPartMissing({ code, message }: Pick<ErrorRecord, 'code' | 'message'>): boolean {
  return code === 'NETWORK' && message.startsWith(PART_MISSING);
}

/**
 * Returns an ABORTED error. It has its own code because a cancelled call is not a failure, and it is never shown as
 * one. `reason` is the reason of the signal and becomes the cause.
 */
export function abortError(reason?: unknown): XylemError {
  const late = reason instanceof Error && reason.name === 'TimeoutError';
  const message = late
    ? 'The operation was cancelled: it took longer than its signal allows.'
    : 'The operation was cancelled.';
  return new XylemError({ code: 'ABORTED', message, cause: reason });
}
