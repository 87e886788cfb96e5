import type { PartialNote } from '../../api/api';
import { type Param, type Params, TEXT } from '../../base/shape';
import type { Report } from '../../report/report';
import { type AnyVerb, jsonPieces, type Output, type VerbCall } from '../../verbs/verb';
import { UsageError } from '../arguments';
import { argumentsOf, type Command, checkCount, command } from '../command';
import { type Context, progressLine, writeBytes, writeText } from '../context';
import {
  commonOptions,
  filesOptions,
  helpOption,
  jsonOption,
  type Option,
  type Options,
  optionName,
  valued,
} from '../options';
import { type As, tellEach } from '../terminal/each';
import { pictureOptions, pngOf } from '../terminal/picture';
import { noteLines, reportLines } from '../terminal/report';
import { verbCall } from '../verb-call';

type Values = Readonly<Record<string, unknown>>;

/** A command line for a verb: options and arguments from its parameters, its report as text, its result as JSON. */
export function verbCommand(verb: AnyVerb): Command {
  const { words, params, about, examples, notes, json, exit } = verb;
  const outputs = outputsOf(verb);
  const usage = [words].flat();
  const first = formOf(usage[0] ?? '');
  const forms = [first, ...usage.slice(1).map(formOf)];
  const ofParams = optionsOf(params, forms);
  const options: Options = {
    ...ofParams,
    ...Object.fromEntries(outputs.map(([name, one]) => [name, valued('OUT', one.about)])),
    report: valued('OUT', 'write the report as one HTML page to OUT'),
    ...sharedOptions(usage.join(' ')),
  };
  /** Returns the parameters that a command line gives. Throws UsageError. */
  const askedFor = (given: Values, positionals: readonly string[]): Values => {
    const form = forms.findLast(({ tells }) => tells.every((name) => name in given)) ?? first;
    checkCount(positionals, [form.words]);
    const set = outputs.flatMap(([name, { sets }]) => (given[name] === undefined ? [] : (sets ?? [])));
    const values: Values = {
      ...valuesOf(params, form, positionals, given, ofParams),
      ...Object.fromEntries(set.map((name) => [name, true])),
    };
    const wrong = verb.wrong?.(values);
    if (wrong) throw new UsageError(wrong);
    return values;
  };
  return command({
    usage,
    about,
    options,
    json,
    ...(examples && { examples }),
    ...(notes !== undefined && { notes }),
    ...(exit !== undefined && { exit }),
    check: askedFor,
    async run(given, positionals, context, others) {
      const values = askedFor(given, positionals);
      const saved = outputs.filter(([name]) => given[name] !== undefined);
      const idle = saved.find(([, { needs }]) => needs !== undefined && values[needs] === undefined);
      if (idle) throw new UsageError(`--${idle[0]} goes with --${optionName(idle[1].needs ?? '')}.`);
      const whole = saved.flatMap(([name, one]) => (one.whole ? [name] : []));
      const onStdout = [...saved.map(([name]) => name), 'report'].filter(
        (name) => given[name] === '-' && !whole.includes(name),
      );
      const stated = [...whole.map((name) => `--${name}`), ...onStdout.map((name) => `--${name} -`)];
      const asked = [...stated, ...(given.json ? ['--json'] : [])];
      if (asked.length > 1) throw new UsageError(`Take ${asked.slice(0, 2).join(' or ')}, not both.`);
      if (given.trace !== undefined && Array.isArray(values.file) && values.file.length > 1)
        throw new UsageError('--trace is of one file; name one.');
      const as = given.json ? 'json' : stated.length > 0 ? 'nothing' : 'text';
      const progress = progressLine(context);
      try {
        const call = verbCall(given, context, progress);
        const { result, report } = verb.each
          ? await runEach(verb.each, values, call, { as, keeps: given.report !== undefined }, context)
          : await runWhole(verb, values, call);
        const { partial } = Object(result) as { partial?: PartialNote };
        if (partial && Array.isArray(partial.errors)) context.files.failed.addPartial(partial);
        for (const [name, { make, form }] of saved)
          await put(String(given[name]), await make(result, values, call), context, form);
        if (given.report !== undefined) {
          const { reportHtml } = await import('../../report/html');
          await put(String(given.report), reportHtml(report.title, [report]), context);
        }
        if (as === 'text') for (const { draw } of others) await draw?.(result, values, context);
        if (!verb.each) await tell(verb, result, report, values, as, context);
        return verb.status?.(result, values) ?? 0;
      } finally {
        await progress.wipe();
      }
    },
  });
}

async function runWhole(verb: AnyVerb, values: Values, call: VerbCall) {
  const result: unknown = await verb.run(values, call);
  return { result, report: verb.report(result, values) };
}

/** Runs a verb that has a result for each file, and tells each as it comes. Keeps their reports only for a page of all. */
async function runEach(
  each: NonNullable<AnyVerb['each']>,
  values: Values,
  call: VerbCall,
  { as, keeps }: { as: As; keeps: boolean },
  context: Context,
) {
  const parts: Report[] = [];
  const reportOf = (item: unknown) => {
    const report = each.report(item, values);
    if (report && keeps) parts.push(report);
    return report;
  };
  const summary: unknown = await tellEach(each.run(values, call), reportOf, as, context);
  const sum = each.sum(summary, values);
  if (sum && as === 'text') for (const line of reportLines(sum, context.out.columns)) context.out.line(line);
  return { result: { files: [], summary }, report: sum ? { ...sum, parts } : (parts[0] ?? { title: '' }) };
}

async function tell(
  verb: AnyVerb,
  result: unknown,
  report: Report,
  values: Values,
  as: As,
  { out, err }: Context,
) {
  for (const note of noteLines(report)) err.line(note);
  if (as === 'json') {
    for (const piece of jsonPieces(verb, result, values)) {
      out.put(piece);
      await out.drain();
    }
    out.line();
  }
  if (as !== 'text') return;
  const script = verb.script?.(result, values);
  if (script) err.line(report.title);
  for (const line of script ?? reportLines(report, out.columns)) {
    out.line(line);
    await out.drain();
  }
}

const put = (target: string, content: string | Uint8Array, context: Context, form?: 'json'): Promise<void> =>
  typeof content === 'string'
    ? writeText(target, content, context, form)
    : writeBytes(target, content, context);

/** Returns the outputs of a verb by their options; a picture is also one as PNG. */
function outputsOf({ outputs = {} }: AnyVerb): [string, AnyOutput][] {
  return Object.entries<AnyOutput>(outputs).flatMap(([name, one]): [string, AnyOutput][] => {
    if (!one.isPicture) return [[name, one]];
    const png: AnyOutput = {
      ...one,
      about: pictureOptions.png.about,
      make: async (...given) => pngOf(String(await one.make(...given)), given[2].note),
    };
    return [
      [name, one],
      ['png', png],
    ];
  });
}

type AnyOutput = Output<Values, unknown>;

/** A form of a command line: "TRACE… --file FILE [--tree TREE]". */
interface Form {
  words: string;
  /** Names of the parameters that are given by their place. */
  places: readonly string[];
  /** Those of them that may be left out. */
  optional: readonly string[];
  /** Whether the last place takes several words. */
  repeats: boolean;
  /** Names of the options in it, and of those that it must have. */
  options: readonly string[];
  tells: readonly string[];
}

function formOf(words: string): Form {
  const { all, required, repeats } = argumentsOf(words);
  const named = (pattern: RegExp) => [...words.matchAll(pattern)].map(([, name = '']) => name);
  return {
    words,
    places: all.map((word) => word.toLowerCase()),
    optional: all.filter((word) => !required.includes(word)).map((word) => word.toLowerCase()),
    repeats,
    options: named(/--([\w-]+)/g),
    tells: named(/(?<!\[)--([\w-]+)/g),
  };
}

/** The options that all commands have which open files; one that opens a single file can write its trace. */
function sharedOptions(usage: string): Options {
  if (/\bFILE\b/.test(usage)) return commonOptions;
  return /\b(A B|FILES|MODEL)\b/.test(usage) ? filesOptions : { ...jsonOption, ...helpOption };
}

/** The options of parameters that no form has by their place, or that one has as an option. */
function optionsOf(params: Params, forms: readonly Form[]): Options {
  const named = Object.entries(params).filter(
    ([name]) =>
      !forms.some(({ places }) => places.includes(name)) ||
      forms.some(({ options }) => options.includes(name)),
  );
  return Object.fromEntries(named.map(([name, param]) => [optionName(name), optionOf(param)]));
}

function optionOf({ about, value, of, choices = of?.choices, updated }: Param<unknown>): Option {
  if (value === '') return { type: 'boolean', about };
  return {
    ...{ type: 'string', value, about },
    ...(of && { multiple: true }),
    ...(choices && { choices }),
    ...(updated && { updated }),
  };
}

/** Returns the parameters that a command line gives. Throws UsageError for a word that its parameter does not take. */
function valuesOf(
  params: Params,
  { places, optional, repeats }: Form,
  words: readonly string[],
  given: Values,
  options: Options,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const option = optionName(name);
    if (Object.hasOwn(options, option) && given[option] !== undefined)
      values[name] = givenValue(`--${option}`, param, given[option]);
  }
  let spare = words.length - (places.length - optional.length);
  let at = 0;
  for (const name of places) {
    if (optional.includes(name) && spare-- <= 0) continue;
    const param = params[name];
    const word = repeats && name === places.at(-1) ? words.slice(at) : words[at];
    at += 1;
    if (param && word !== undefined) values[name] = givenValue(name.toUpperCase(), param, word);
  }
  return values;
}

function givenValue(name: string, param: Param<unknown>, given: unknown): unknown {
  if (Array.isArray(given)) {
    const { of = param } = param;
    // Values may stand in one argument, with commas between them; texts may have commas themselves.
    const words =
      of.words !== TEXT.words
        ? given.flatMap((text: string) => text.split(',').map((word) => word.trim()))
        : given;
    return words.map((word: string) => givenValue(name, { ...param, ...of, of: undefined }, word));
  }
  if (typeof given !== 'string') return given;
  const value = param.parse?.(given);
  if (value === undefined) throw new UsageError(`${name} takes ${param.words}, not "${given}".`);
  return value;
}
