import { type ErrorPlace, type ErrorRecord, XylemError } from './errors';

export function unsupported(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'UNSUPPORTED', message, where, fix });
}

/** Returns a BUDGET error: more memory, time or bytes than are available or allowed. */
export function overBudget(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'BUDGET', message, where, fix });
}

/** Returns a CORRUPT error: the bytes of a file are not valid. */
export function corrupt(message: string, where?: ErrorPlace, fix?: string): XylemError {
  return new XylemError({ code: 'CORRUPT', message, where, fix });
}

/** Returns an INTERNAL error: a bug in xylem. */
export function internal(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'INTERNAL', message, where, fix });
}

/**
 * Returns the error for a result that needs all entries when some are missing. It has the code and place of the first
 * error.
 */
export function entriesUnread(first: ErrorRecord | undefined): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: 'Some entries cannot be read.',
    fix: 'Choose other entries or branches.',
    ...first,
    cause: undefined,
  });
}
