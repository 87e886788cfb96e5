import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { own } from '../base/search';
import { didYouMean, nearest } from '../base/suggest';
import { limitRequests, parseRequestLimits } from '../io/http/server-limits';
import { joinNegativeValues, UsageError } from './arguments';
import type { Context } from './context';
import { commandHelp } from './help';
import { commonOptions, type Option, type Options } from './options';
import type { CommandTool } from './tool';

/** Definition of a command in words and options, from which its help and the shell completions are made. */
export interface Definition<T extends Options> {
  /**
   * Arguments as in a command line: "FILE [TREE]"; arguments in brackets may be left out, "…" may be
   * repeated. Several lines when there are several forms of the command.
   */
  usage: readonly string[];
  about: string;
  /** Command lines without "xylem" and the name, and what each does. The help and docs/examples.md show them. */
  examples?: readonly (readonly [words: string, about: string])[];
  options: T;
  /** Further paragraphs of the help, after the options. */
  notes?: string;
  /** The shape of what --json prints. */
  json?: string;
  exit?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has arguments of its own
  tool?: CommandTool<any>;
  /** Throws UsageError for options and words that contradict each other, before any form of the command runs. */
  check?(given: Given<T>, words: readonly string[]): void;
  /** Runs it, returns the exit status 0 or 1. Throws UsageError and XylemError. */
  run(
    given: Given<T>,
    words: readonly string[],
    context: Context,
    forms: readonly OtherForm[],
  ): Promise<number>;
}

/** Another form of a command, which a feature adds to it: options, and how the command runs with them. */
export interface OtherForm {
  options?: Options;
  /** Lines that follow those of the command. */
  about?: string;
  json?: string;
  /** Whether it runs before other forms, and takes their options, too. Default: options of two forms are an error. */
  isFirst?: boolean;
  /** Returns the surroundings in which the command runs with these options, whatever its form. */
  within?(
    given: Readonly<Record<string, unknown>>,
    words: readonly string[],
    context: Context,
  ): Promise<Context>;
  /** Runs the command in another way. Returns the exit status; undefined if the options do not ask for that. */
  run?(
    given: Readonly<Record<string, unknown>>,
    words: readonly string[],
    context: Context,
  ): Promise<number | undefined>;
  /** Draws the result of a verb in a terminal, above its report. */
  // biome-ignore lint/suspicious/noExplicitAny: each verb has a result of its own
  draw?(result: any, values: Readonly<Record<string, unknown>>, context: Context): Promise<void>;
}

/** The values of the options on a command line. */
export type Given<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>
>['values'];

export interface Command {
  usage: readonly string[];
  examples: readonly (readonly [words: string, about: string])[];
  options: Options;
  json: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has arguments of its own
  tool: CommandTool<any> | undefined;
  help(name: string): string;
  run(args: readonly string[], context: Context): Promise<number>;
  /** Returns the command with other forms of it. */
  inForms(forms: readonly OtherForm[]): Command;
}

export function command<const T extends Options>(
  definition: Definition<T>,
  forms: readonly OtherForm[] = [],
): Command {
  const { usage, examples = [], tool } = definition;
  const options = allOptions(definition.options, forms);
  const json = linesOf(definition.json, ...forms.map((form) => form.json));
  const about = linesOf(definition.about, ...forms.map((form) => form.about)) ?? '';
  return {
    usage,
    examples,
    options,
    json,
    tool,
    help: (name) => commandHelp(name, { ...definition, options, about, ...(json !== undefined && { json }) }),
    inForms: (others) => command(definition, [...forms, ...others]),
    async run(args, outer) {
      let context = outer;
      const { values, positionals } = parseWords(args, options as T);
      checkCount(positionals, usage);
      checkChoices(values, options);
      if ('json' in values && values.json === true) context.out.setForm('json');
      const limits = 'max-requests' in values ? values['max-requests'] : process.env.XYLEM_MAX_REQUESTS;
      limitRequests(parseRequestLimits(String(limits ?? '')));
      await noteFiles(values, options, context);
      const out = outputOf(positionals, usage);
      if (out !== undefined) await context.files.nameOutput(out, 'OUT');
      definition.check?.(values, positionals);
      checkForms(values, forms);
      for (const { within } of forms) context = (await within?.(values, positionals, context)) ?? context;
      const writeFailed = async (): Promise<void> => {
        if ('failed' in values) await context.files.failed.write(String(values.failed), context);
      };
      const runForms = async (): Promise<number> => {
        for (const form of [...forms].sort(firstForms)) {
          const status = await form.run?.(values, positionals, context);
          if (status !== undefined) return status;
        }
        return await definition.run(values, positionals, context, forms);
      };
      const status = await runForms().catch(async (thrown: unknown) => {
        if (!(thrown instanceof UsageError)) await writeFailed();
        throw thrown;
      });
      await writeFailed();
      return status;
    },
  };
}

const firstForms = (one: OtherForm, other: OtherForm): number =>
  Number(other.isFirst === true) - Number(one.isFirst === true);

/** Throws UsageError for options of two forms. */
function checkForms(values: object, forms: readonly OtherForm[]): void {
  const [one, other] = forms
    .filter(({ isFirst }) => !isFirst)
    .flatMap(({ options = {} }) => Object.keys(options).find((name) => name in values) ?? []);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --${one}.`);
}

const linesOf = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.some((text) => text !== undefined)
    ? texts.filter((text) => text !== undefined).join('\n')
    : undefined;

/** The options of a command and its forms: those that all commands have are the last. */
function allOptions(own: Options, forms: readonly OtherForm[]): Options {
  const first = Object.entries(own).filter(([name]) => !Object.hasOwn(commonOptions, name));
  const all: Record<string, Option> = Object.fromEntries(first);
  for (const { options = {} } of forms)
    for (const [name, option] of Object.entries(options)) {
      const other = all[name];
      all[name] = other?.choices && option.choices ? withChoices(option, other) : option;
    }
  return Object.assign(all, own);
}

/** An option of two forms takes the words of both. */
function withChoices(option: Option, other: Option): Option {
  const choices = [...new Set([...(option.choices ?? []), ...(other.choices ?? [])])];
  return { ...option, about: `${option.about}; ${other.about}`, choices };
}

/**
 * Notes the files that options name, so that no output is written over an input. Words are noted where they are
 * interpreted: see `sourceOf`.
 */
async function noteFiles(
  values: Readonly<Record<string, unknown>>,
  options: Options,
  { files }: Context,
): Promise<void> {
  const force = 'force' in options ? values.force === true : undefined;
  for (const [name, { value, keeps, updated }] of Object.entries(options)) {
    const given = own(values, name);
    if (value === 'FILE' || value === 'SAVED')
      for (const path of [given].flat()) if (typeof path === 'string' && !updated) await files.addInput(path);
    if (typeof given !== 'string' || given === '-') continue;
    if (value === 'OUT') {
      const folder = Object.keys(options).find(
        (other) => options[other]?.value === 'FOLDER' && sameFile(own(values, other), given),
      );
      if (folder !== undefined) throw new UsageError(`--${folder} and --${name} name the same place.`);
    }
    const replaces = keeps === true ? (force ? 'all' : 'nothing') : 'others';
    if (value === 'OUT' || updated)
      await files.addOutput(given, { word: `--${name}`, replaces, force: keeps ? force : undefined });
  }
}

const sameFile = (one: unknown, other: string): boolean =>
  typeof one === 'string' && resolve(one) === resolve(other);

/** Returns the word that the usage calls OUT; undefined if there is none. */
function outputOf(words: readonly string[], usage: readonly string[]): string | undefined {
  for (const form of usage) {
    const { all, required } = argumentsOf(form);
    const at = all.indexOf('OUT');
    if (at >= 0 && words.length >= required.length) return at === all.length - 1 ? words.at(-1) : words[at];
  }
  return undefined;
}

/** Options and arguments of a line. A value may start with a minus ("--range -5:5"). Throws UsageError. */
export function parseWords<T extends Options>(args: readonly string[], options: T) {
  try {
    const joined = joinNegativeValues(args, options);
    return parseArgs({ args: joined, options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const unknown = /^Unknown option '(-[^']*)'/.exec(text)?.[1];
    if (unknown === undefined) throw new UsageError(text);
    const like = nearest(
      unknown,
      Object.keys(options).map((name) => `--${name}`),
    );
    const meant = didYouMean(like, '');
    throw new UsageError(`There is no option ${unknown}.${meant === undefined ? '' : ` ${meant}`}`);
  }
}

/** Throws UsageError when an option with fixed choices has another value. */
function checkChoices(values: object, options: Options): void {
  for (const [name, { choices, multiple }] of Object.entries(options)) {
    if (choices === undefined) continue;
    const given = own(values as Record<string, unknown>, name);
    const texts = (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string');
    const words = texts.flatMap((text) => (multiple ? text.split(',') : [text])).map((word) => word.trim());
    const wrong = words.find((word) => !choices.includes(word));
    if (wrong === undefined) continue;
    const meant = didYouMean(nearest(wrong, choices).slice(0, 1), '');
    throw new UsageError(
      `--${name} does not take "${wrong}".${meant === undefined ? '' : ` ${meant}`} It takes ${choices.join(', ')}.`,
    );
  }
}

/** Throws UsageError if no form of the command takes this number of arguments. The error names the missing one. */
export function checkCount(words: readonly string[], usage: readonly string[]): void {
  const forms = usage.map((form) => argumentsOf(form));
  const least = Math.min(...forms.map(({ required }) => required.length));
  const most = Math.max(
    ...forms.map(({ all, repeats }) => (repeats ? Number.POSITIVE_INFINITY : all.length)),
  );
  if (words.length < least) {
    const missing = forms.map(({ required }) => required[words.length] ?? '').filter((name) => name !== '');
    throw new UsageError(`${[...new Set(missing)].join(' or ')} is missing.`);
  }
  if (words.length > most) throw new UsageError(`"${words[most]}" is one argument too many.`);
}

const isOption = (word = ''): boolean => word.startsWith('--') || word.startsWith('[--');

/** Splits "FILE [TREE] EXPR…" into names, without options. A word in small letters is a literal and is also returned. */
export function argumentsOf(form: string): { all: string[]; required: string[]; repeats: boolean } {
  const all = form
    .split(' ')
    .filter((word, i, words) => word !== '' && !isOption(word) && !isOption(words[i - 1]));
  const bare = (word: string): string => word.replace(/[[\]…]/g, '');
  return {
    all: all.map(bare),
    required: all.filter((word) => !word.startsWith('[')).map(bare),
    repeats: form.includes('…'),
  };
}
