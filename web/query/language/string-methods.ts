/**
 * A method of std::string, TString or a C string. `body` computes the result from the numbers that the core provides: n
 * is the length of the string in bytes, f the position found or the result of a comparison, t the length of the text
 * argument.
 */
export type StringMethod =
  | { as: 'itself' }
  | { as: 'length'; body?: string }
  /** The first or last position of a text, or -1. */
  | { as: 'find' | 'findLast'; body?: string }
  /** A negative number, 0, or a positive number, as std::string::compare. */
  | { as: 'compare'; body?: string };

export const STRING_METHODS: Record<string, StringMethod> = {
  c_str: { as: 'itself' },
  data: { as: 'itself' },
  Data: { as: 'itself' },
  size: { as: 'length' },
  length: { as: 'length' },
  Length: { as: 'length' },
  empty: { as: 'length', body: 'n == 0' },
  IsNull: { as: 'length', body: 'n == 0' },
  find: { as: 'find' },
  Index: { as: 'find' },
  First: { as: 'find' },
  rfind: { as: 'findLast' },
  Last: { as: 'findLast' },
  Contains: { as: 'find', body: 'f >= 0' },
  BeginsWith: { as: 'find', body: 'f == 0' },
  starts_with: { as: 'find', body: 'f == 0' },
  EndsWith: { as: 'findLast', body: 'f >= 0 && f == n - t' },
  ends_with: { as: 'findLast', body: 'f >= 0 && f == n - t' },
  compare: { as: 'compare' },
  CompareTo: { as: 'compare' },
  EqualTo: { as: 'compare', body: 'f == 0' },
};
