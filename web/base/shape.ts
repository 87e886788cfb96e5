/*
 * The shape of a value: its type, its check with the text of the error message, the option of a command line, the
 * parameter of a link, and the JSON Schema of a tool.
 */

export interface Shape<T> {
  /** Completes the sentence "It has to be …". */
  readonly words: string;
  is(value: unknown): value is T;
  /** Never defined. The compiler uses it to compare the values of a shape with those of an option. */
  takes?(value: T): void;
  /** JSON Schema; undefined if JSON cannot hold such a value. */
  readonly schema?: object | undefined;
  /**
   * Parses a word of a command line or a link; returns undefined if it is not valid. Without this function, words are
   * not accepted.
   */
  parse?(word: string): T | undefined;
  /** The allowed words, for help and completion. */
  readonly choices?: readonly string[] | undefined;
  /** For a list: the shape of its items. On a command line, the option can be repeated. */
  readonly of?: Shape<unknown> | undefined;
}

/** The type of the values of a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

/** The type of an object whose members have these shapes. */
export type OfMembers<M> = { [Name in keyof M]: Of<M[Name]> };

/** A named parameter: its shape, description, and whether it is optional. */
export type Param<T> = Shape<T> & {
  /** Description in the help of commands and tools. */
  readonly about: string;
  /** Placeholder of the value in the help: N, A:B, OUT. */
  readonly value: string;
  readonly optional: boolean;
  /** Whether it is a file that is read and then overwritten. */
  readonly updated?: boolean | undefined;
};

export type Params = { readonly [name: string]: Param<unknown> };

type Needed<M extends Params> = {
  [K in keyof M]: M[K]['optional'] extends true ? never : K;
}[keyof M];

/** The type of the values of parameters. Optional ones may be undefined. */
export type ValuesOf<M extends Params> = { [K in Needed<M>]: Of<M[K]> } & {
  [K in Exclude<keyof M, Needed<M>>]?: Of<M[K]> | undefined;
};

const shape = <T>(
  words: string,
  is: (value: unknown) => boolean,
  more: Omit<Shape<T>, 'words' | 'is'> = {},
): Shape<T> => ({ words, is: (value): value is T => is(value), ...more });

/** A value that JSON cannot hold, or that is checked elsewhere. */
export const opaque = <T>(words: string, is: (value: unknown) => boolean): Shape<T> => shape(words, is);

/** Accepts any value, for values that other code checks with its own message. */
export const ANY = shape<unknown>('anything', () => true, { schema: {} });

export const TEXT = shape<string>('a text', (value) => typeof value === 'string', {
  schema: { type: 'string' },
  parse: (word) => word,
});

/** Returns the shape of a text with a form, which `pattern` checks. */
export const textLike = (words: string, pattern: RegExp): Shape<string> =>
  shape(words, (value) => typeof value === 'string' && pattern.test(value), {
    schema: { type: 'string', pattern: pattern.source },
    parse: (word) => (pattern.test(word) ? word : undefined),
  });

/** A number; infinite ones are allowed. */
export const NUMBER = shape<number>(
  'a number',
  (value) => typeof value === 'number' && !Number.isNaN(value),
  { schema: { type: 'number' }, parse: numberOf },
);

/** A finite number within limits. */
const limited = (words: string, fits: (value: number) => boolean, limits: object): Shape<number> => {
  const is = (value: unknown) => Number.isFinite(value) && fits(value as number);
  return shape(words, is, {
    schema: { type: 'number', ...limits },
    parse: (word) => (is(numberOf(word)) ? numberOf(word) : undefined),
  });
};
export const NOT_NEGATIVE = limited('a number of 0 or more', (value) => value >= 0, { minimum: 0 });
export const POSITIVE = limited('a number above 0', (value) => value > 0, { exclusiveMinimum: 0 });
export const PROBABILITY = limited('a number from 0 to 1', (value) => value >= 0 && value <= 1, {
  minimum: 0,
  maximum: 1,
});

function numberOf(word: string): number | undefined {
  const value = word.trim() === '' ? Number.NaN : Number(word);
  return Number.isNaN(value) ? undefined : value;
}

export const FLAG = shape<boolean>('true or false', (value) => typeof value === 'boolean', {
  schema: { type: 'boolean' },
  parse: (word) => (word === 'true' ? true : word === 'false' ? false : undefined),
});

/** Returns the shape of an integer from `min` to `max`. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): Shape<number> => {
  const is = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
  const words =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`;
  return shape(words, is, {
    schema: { type: 'integer', minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) },
    parse: (word) => (/^\d+$/.test(word) && is(Number(word)) ? Number(word) : undefined),
  });
};

/** Returns the shape of a number from `min` to `max`. */
export const between = (min: number, max: number): Shape<number> =>
  limited(`a number from ${min} to ${max}`, (value) => value >= min && value <= max, {
    minimum: min,
    maximum: max,
  });

/** Returns the shape of one of these words. */
export const oneOf = <const W extends readonly string[]>(...choices: W): Shape<W[number]> =>
  shape(choices.map((word) => `"${word}"`).join(' or '), (value) => choices.includes(value as string), {
    schema: { type: 'string', enum: choices },
    parse: (word) => (choices.includes(word) ? word : undefined),
    choices,
  });

export const listOf = <T>(of: Shape<T>, max = Number.POSITIVE_INFINITY, min = 0): Shape<readonly T[]> => {
  const most = Number.isFinite(max);
  const fits = ({ length }: unknown[]) => min <= length && length <= max;
  const bounds = { ...(min > 0 && { minItems: min }), ...(most && { maxItems: max }) };
  return shape(
    `a list${most ? ` of at most ${max}` : ''}, each ${of.words}`,
    (value) => Array.isArray(value) && fits(value) && value.every((one) => of.is(one)),
    {
      schema: of.schema && { type: 'array', items: of.schema, ...bounds },
      of: of as Shape<unknown>,
    },
  );
};

/** Returns the shape of a value that has any of these shapes. */
export const either = <const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<Of<S[number]>> =>
  shape(shapes.map(({ words }) => words).join(', or '), (value) => shapes.some((one) => one.is(value)), {
    schema: { anyOf: shapes.map(({ schema }) => schema ?? {}) },
  });

/** Two finite numbers. */
export const PAIR = shape<readonly [number, number]>(
  'two numbers [low, high]',
  (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite),
  { schema: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } },
);

export const FUNCTION = shape<(...values: never[]) => unknown>(
  'a function',
  (value) => typeof value === 'function',
);
export const OBJECT = shape<object>('an object', (value) => typeof value === 'object' && value !== null, {
  schema: { type: 'object' },
});
export const ADDRESS = shape<string | URL>(
  'an address',
  (value) => typeof value === 'string' || value instanceof URL,
);
export const TEXT_BY_NAME = shape<Record<string, string>>(
  'an object whose values are texts',
  (value) => OBJECT.is(value) && Object.values(value).every((one) => typeof one === 'string'),
  { schema: { type: 'object', additionalProperties: { type: 'string' } } },
);

/** Returns a required parameter. */
export const needed = <T>(of: Shape<T>, value: string, about: string): Param<T> & { optional: false } => ({
  ...of,
  value,
  about,
  optional: false,
});

/** Returns an optional parameter. */
export const optional = <T>(of: Shape<T>, value: string, about: string): Param<T> & { optional: true } => ({
  ...of,
  value,
  about,
  optional: true,
});

/** Returns a parameter that is false by default. */
export const flag = (about: string): Param<boolean> & { optional: true } => optional(FLAG, '', about);

/** The shape of an object with these members only. `checkOptions` names the member that is wrong. */
export interface Group<M extends Params> extends Shape<ValuesOf<M>> {
  readonly members: M;
}

export const group = <M extends Params>(members: M): Group<M> => ({
  words: `an object with ${Object.keys(members).join(', ')}`,
  members,
  schema: schemaOf(members),
  is: (value): value is ValuesOf<M> =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, member]) => {
      const one = (value as Record<string, unknown>)[name];
      return one === undefined ? member.optional : member.is(one);
    }),
});

/** Returns the JSON Schema of an object with these parameters. */
export function schemaOf(params: Params) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.entries(params).map(([name, { schema, about }]) => [name, { ...schema, description: about }]),
    ),
    required: Object.keys(params).filter((name) => params[name]?.optional === false),
    additionalProperties: false as const,
  };
}
