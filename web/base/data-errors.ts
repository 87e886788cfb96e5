import { type ErrorPlace, type ErrorRecord, XylemError } from './errors';

export function unsupported(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'UNSUPPORTED', message, where, fix });
}

/** BUDGET: more memory, time or bytes than are available or allowed. */
export function overBudget(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'BUDGET', message, where, fix });
}

/** The bytes of a file are not what they should be. */
export function corrupt(message: string, where?: ErrorPlace, fix?: string): XylemError {
  return new XylemError({ code: 'CORRUPT', message, where, fix });
}

/** INTERNAL: a mistake in xylem. */
export function internal(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'INTERNAL', message, where, fix });
}

/** Returns the error of entries that are missing if all are needed: the first error, with its code and place. */
export function entriesUnread(first: ErrorRecord | undefined): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: 'Some entries cannot be read.',
    fix: 'Choose other entries or branches.',
    ...first,
    cause: undefined,
  });
}
