import { type Param, type Params, TEXT } from '../../base/shape';
import { reportHtml } from '../../report/html';
import type { AnyVerb, Output } from '../../verbs/verb';
import { UsageError } from '../arguments';
import { argumentsOf, type Command, command } from '../command';
import { type Context, progressLine, writeBytes, writeText } from '../context';
import {
  commonOptions,
  filesOptions,
  helpOption,
  jsonOption,
  type Option,
  type Options,
  valued,
} from '../options';
import { notesOf, reportLines } from '../terminal/report';
import { verbCall } from '../verb-call';

/** A command line for a verb: options and arguments from its parameters, its report as text, its result as JSON. */
export function verbCommand(verb: AnyVerb): Command {
  const { words, params, outputs = {}, about, notes, json, exit } = verb;
  const places = argumentsOf(words);
  const byPlace = places.all.map((word) => word.toLowerCase());
  const files = places.all.filter((word) => FILES.includes(word)).length;
  const options: Options = {
    ...optionsOf(params, byPlace),
    ...Object.fromEntries(
      Object.entries<Output<unknown, unknown>>(outputs).map(([name, one]) => [
        name,
        valued('OUT', one.about),
      ]),
    ),
    report: valued('OUT', 'write the report as one HTML page to OUT'),
    ...sharedOptions(files),
  };
  return command({
    usage: [words],
    about,
    options,
    json,
    ...(notes !== undefined && { notes }),
    ...(exit !== undefined && { exit }),
    async run(given, positionals, context) {
      const values = valuesOf(params, given, byPlace, positionals, places.repeats);
      const wrong = verb.wrong?.(values);
      if (wrong) throw new UsageError(wrong);
      const saved = Object.entries<Output<unknown, unknown>>(outputs).filter(
        ([name]) => given[name] !== undefined,
      );
      const onStdout = [...saved.map(([name]) => name), 'report'].filter((name) => given[name] === '-');
      const asked = [...onStdout.map((name) => `--${name} -`), ...(given.json ? ['--json'] : [])];
      if (asked.length > 1) throw new UsageError(`Take ${asked.slice(0, 2).join(' or ')}, not both.`);
      if (given.trace !== undefined && places.repeats && positionals.length > 1)
        throw new UsageError('--trace is of one file; name one.');
      const progress = progressLine(context);
      let result: unknown;
      try {
        result = await verb.run(values, verbCall(given, context, progress));
      } finally {
        await progress.wipe();
      }
      for (const [name, { make }] of saved)
        await put(String(given[name]), await make(result, values), context);
      const report = verb.report(result, values);
      for (const note of notesOf(report)) context.err.line(`note: ${note}`);
      if (given.report !== undefined)
        await put(String(given.report), reportHtml(report.title, [report]), context);
      if (given.json) context.out.line(verb.toJson?.(result) ?? JSON.stringify(result));
      else if (onStdout.length === 0) {
        for (const line of reportLines(report)) {
          context.out.line(line);
          await context.out.drain();
        }
      }
      return verb.status?.(result, values) ?? 0;
    },
  });
}

const put = (target: string, content: string | Uint8Array, context: Context): Promise<void> =>
  typeof content === 'string' ? writeText(target, content, context) : writeBytes(target, content, context);

/** The words that name files in the usage of a verb. */
const FILES: readonly string[] = ['FILE', 'A', 'B'];

/** The options that all commands have which open so many files. */
function sharedOptions(files: number): Options {
  if (files === 0) return { ...jsonOption, ...helpOption };
  return files > 1 ? filesOptions : commonOptions;
}

/** Name of an option: failOn is --fail-on. */
const optionName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function optionsOf(params: Params, byPlace: readonly string[]): Options {
  const named = Object.entries(params).filter(([name]) => !byPlace.includes(name));
  return Object.fromEntries(named.map(([name, param]) => [optionName(name), optionOf(param)]));
}

function optionOf({ about, value, of, choices = of?.choices }: Param<unknown>): Option {
  if (value === '') return { type: 'boolean', about };
  return { type: 'string', value, about, ...(of && { multiple: true }), ...(choices && { choices }) };
}

/** Returns the parameters that a command line gives. Throws UsageError for a word that its parameter does not take. */
function valuesOf(
  params: Params,
  given: Readonly<Record<string, unknown>>,
  byPlace: readonly string[],
  positionals: readonly string[],
  repeats: boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const place = byPlace.indexOf(name);
    const isLast = place === byPlace.length - 1;
    const words =
      place < 0 ? given[optionName(name)] : repeats && isLast ? positionals.slice(place) : positionals[place];
    if (words !== undefined)
      values[name] = givenValue(place < 0 ? `--${optionName(name)}` : name.toUpperCase(), param, words);
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
