import { argumentError, XylemError } from '../../../base/errors';
import { type Param, type Params, schemaOf } from '../../../base/shape';
import { UsageError } from '../../../cli/arguments';
import { optionName } from '../../../cli/options';
import { notesOf, reportLines } from '../../../cli/terminal/report';
import { fileValue } from '../../../verbs/params';
import { type AnyVerb, jsonPieces } from '../../../verbs/verb';
import { checkCost } from './cost';
import { FILE } from './schema';
import { type Answer, type Call, filesOf, type Input, type Tool } from './tool';

/** The tool of a verb: its schema, its limits of cost and its answer come from the verb. */
export function verbTool(verb: AnyVerb): Tool | undefined {
  const { params, tool } = verb;
  if (tool === undefined) return undefined;
  const { name = verb.name, title, description, without = [], names = {}, text: asText, cost } = tool;
  const kept = Object.keys(params as Params).filter((param) => !without.includes(param));
  /** The names of the parameters in the tool, each with its name in the verb. */
  const ownNames = kept.map((param) => [names[param] ?? param, param] as const);
  const inOwnWords = ownWords(new Map(ownNames.map(([own, param]) => [`--${optionName(param)}`, own])));
  const ownParam = (param: string): Param<unknown> => {
    const known = (params as Params)[param] as Param<unknown>;
    return { ...known, about: inOwnWords(known.about) };
  };
  const input = schemaOf(
    Object.fromEntries(ownNames.map(([own, param]) => [own, own === 'file' ? FILE : ownParam(param)])),
  );
  return {
    name,
    title,
    description,
    input,
    run: (given, call) => answer(given, call).catch(rethrown(inOwnWords)),
  };

  async function answer(given: Input, call: Call): Promise<Answer> {
    const values = {
      ...Object.fromEntries(ownNames.map(([own, param]) => [param, given[own]])),
      ...(kept.includes('file') && { file: fileValue(params, filesOf(given)) }),
    };
    const wrong = verb.wrong?.(values);
    if (wrong) throw argumentError(wrong);
    const { lent, said } = call.lend();
    if (cost) {
      const { what, ...reads } = await cost(values, lent);
      checkCost(reads, what, call.limits);
    }
    const result = await verb.run(values, lent);
    const report = asText && verb.report(result, values);
    for (const note of report ? notesOf(report) : []) lent.note(note);
    const body = report ? reportLines(report).join('\n') : [...jsonPieces(verb, result, values)].join('');
    const notes = await said();
    return { text: notes === '' ? body : `${body}\n\n${notes}` };
  }
}

/** Returns a function that names parameters in a text as their tool does, in place of the options of a command line. */
const ownWords =
  (names: ReadonlyMap<string, string>) =>
  (text: string): string =>
    text.replace(/--[a-z][a-z-]*/g, (option) => names.get(option) ?? option);

/** Returns a function that throws an error again with a message in other words. */
const rethrown =
  (inOwnWords: (text: string) => string) =>
  (thrown: unknown): never => {
    if (thrown instanceof UsageError) throw argumentError(inOwnWords(thrown.message));
    if (!(thrown instanceof XylemError)) throw thrown;
    const { message, fix, cause } = thrown;
    const words = { message: inOwnWords(message), fix: fix && inOwnWords(fix) };
    throw new XylemError({ ...thrown.toRecord(), ...words, cause });
  };
