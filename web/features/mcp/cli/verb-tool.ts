import { argumentError } from '../../../base/errors';
import { type Param, type Params, schemaOf } from '../../../base/shape';
import { notesOf, reportLines } from '../../../cli/terminal/report';
import { fileValue } from '../../../verbs/params';
import { type AnyVerb, jsonPieces } from '../../../verbs/verb';
import { checkCost } from './cost';
import { FILE } from './schema';
import { filesOf, type Tool } from './tool';

/** The tool of a verb: its schema, its limits of cost and its answer come from the verb. */
export function verbTool(verb: AnyVerb): Tool | undefined {
  const { params, tool } = verb;
  if (tool === undefined) return undefined;
  const { name = verb.name, title, description, without = [], names = {}, text: asText, cost } = tool;
  const kept = Object.keys(params as Params).filter((param) => !without.includes(param));
  /** The names of the parameters in the tool, each with its name in the verb. */
  const ownNames = kept.map((param) => [names[param] ?? param, param] as const);
  const input = schemaOf(
    Object.fromEntries(
      ownNames.map(([own, param]) => [
        own,
        own === 'file' ? FILE : ((params as Params)[param] as Param<unknown>),
      ]),
    ),
  );
  return {
    name,
    title,
    description,
    input,
    async run(given, call) {
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
      const answer = report ? reportLines(report).join('\n') : [...jsonPieces(verb, result, values)].join('');
      const notes = await said();
      return { text: notes === '' ? answer : `${answer}\n\n${notes}` };
    },
  };
}
