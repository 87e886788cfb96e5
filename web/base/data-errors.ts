import { type ErrorPlace, XylemError } from './errors';

export function unsupported(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'UNSUPPORTED', message, where, fix });
}

/** BUDGET: more memory, time or bytes than there is or than is allowed. */
export function overBudget(message: string, fix?: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'BUDGET', message, where, fix });
}

/** The bytes of a file are not what they should be. */
export function corrupt(message: string, where?: ErrorPlace): XylemError {
  return new XylemError({ code: 'CORRUPT', message, where });
}
