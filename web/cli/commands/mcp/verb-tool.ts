import { type Params, schemaOf } from '../../../base/shape';
import { fileValue } from '../../../verbs/params';
import type { AnyVerb } from '../../../verbs/verb';
import { notesOf, reportLines } from '../../terminal/report';
import { checkCost } from './cost';
import { FILE } from './schema';
import { filesOf, type Tool } from './tool';

/** The tool of a verb: its schema, its limits of cost and its answer come from the verb. */
export function verbTool({ params, tool, ...verb }: AnyVerb): Tool | undefined {
  if (tool === undefined) return undefined;
  const { name = verb.name, title, description, without = [], text: asText, cost } = tool;
  const kept = Object.fromEntries(
    Object.entries(params as Params).filter(([param]) => !without.includes(param)),
  );
  const { properties, ...schema } = schemaOf(kept);
  return {
    name,
    title,
    description,
    input: { ...schema, properties: { ...properties, ...('file' in kept && { file: FILE }) } },
    async run(input, call) {
      const given = 'file' in kept && { file: fileValue(kept, filesOf(input)) };
      const values = { ...input, ...given };
      const { lent, said } = call.lend();
      if (cost) {
        const { what, ...reads } = await cost(values, lent);
        checkCost(reads, what, call.limits);
      }
      const result = await verb.run(values, lent);
      const report = asText && verb.report(result, values);
      for (const note of report ? notesOf(report) : []) lent.note(note);
      const answer = report
        ? reportLines(report).join('\n')
        : (verb.toJson?.(result) ?? JSON.stringify(result));
      const notes = await said();
      return { text: notes === '' ? answer : `${answer}\n\n${notes}` };
    },
  };
}
