import { argumentError, type XylemError } from '../../../base/errors';

/** The place of a value in a JSON document, as a list that begins with the value itself. */
export interface Place {
  readonly key: string | number;
  readonly above: Place | undefined;
}

/** Levels of objects and lists in a document. Published files have about 20. */
const MAX_LEVELS = 200;

/** A member of a document with its place, which is named if it is not valid. */
export class At {
  readonly value: unknown;
  readonly #place: Place | undefined;
  readonly #name: string;
  readonly #level: number;

  constructor(value: unknown, name: string, place?: Place, level = 0) {
    this.value = value;
    this.#name = name;
    this.#place = place;
    this.#level = level;
  }

  /** Returns "corrections[2].data.edges". */
  get path(): string {
    const parts: string[] = [];
    for (let at = this.#place; at; at = at.above)
      parts.unshift(typeof at.key === 'number' ? `[${at.key}]` : `.${shown(at.key)}`);
    return parts.join('').replace(/^\./, '') || 'the document';
  }

  /** Returns an ARGUMENT error that names the place. */
  wrong(why: string, fix?: string): XylemError {
    return argumentError(`${this.#name} is not valid: ${this.path} ${why}.`, fix, { path: this.path });
  }

  #below(key: string | number, value: unknown): At {
    if (this.#level >= MAX_LEVELS) throw this.wrong(`is nested deeper than ${MAX_LEVELS} levels`);
    return new At(value, this.#name, { key, above: this.#place }, this.#level + 1);
  }

  /** Returns a member of an object. A member that is absent is undefined. */
  member(key: string): At {
    const object = this.object();
    return this.#below(key, Object.hasOwn(object, key) ? object[key] : undefined);
  }

  /** Returns a member of an object; undefined if it is absent or null. */
  optional(key: string): At | undefined {
    const found = this.member(key);
    return found.value === undefined || found.value === null ? undefined : found;
  }

  object(): Record<string, unknown> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.is('an object');
    return value as Record<string, unknown>;
  }

  list(): unknown[] {
    if (!Array.isArray(this.value)) throw this.is('a list');
    return this.value;
  }

  items(): At[] {
    return this.list().map((one, i) => this.#below(i, one));
  }

  item(i: number): At {
    return this.#below(i, this.list()[i]);
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.is('a text');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') throw this.is('a number');
    return this.value;
  }

  whole(): number {
    if (!Number.isSafeInteger(this.value)) throw this.is('a whole number');
    return this.value as number;
  }

  /** Returns the error for a value of another kind. */
  is(wanted: string): XylemError {
    if (this.value === undefined) return this.wrong(`is missing; ${wanted} was expected`);
    return this.wrong(`is ${found(this.value)}; ${wanted} was expected`);
  }
}

function found(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  // JSON has no NaN.
  if (typeof value === 'number') return String(value);
  return JSON.stringify(value)?.slice(0, 60) ?? typeof value;
}

function shown(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key;
}
