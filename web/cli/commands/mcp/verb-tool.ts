import { argumentError } from '../../../base/errors';
import { type Params, schemaOf } from '../../../base/shape';
import type { AnyVerb, VerbCall } from '../../../verbs/verb';
import { checkCost } from './cost';
import { FILE } from './schema';
import { type Call, filesOf, type Tool } from './tool';

/** The tool of a verb: its schema, its limits of cost and its answer come from the verb. */
export function verbTool({ params, tool, ...verb }: AnyVerb): Tool | undefined {
  if (tool === undefined) return undefined;
  const { name = verb.name, title, description, without = [], cost } = tool;
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
      const values = { ...input, ...('file' in kept && { file: filesOf(input) }) };
      const wrong = verb.wrong?.(values);
      if (wrong) throw argumentError(wrong);
      const notes: string[] = [];
      const lent = callOf(call, notes);
      if (cost) {
        const { what, ...reads } = await cost(values, lent);
        checkCost(reads, what, call.limits);
      }
      const result = await verb.run(values, lent);
      const text = verb.toJson?.(result) ?? JSON.stringify(result);
      return { text: [text, ...notes].join('\n\n') };
    },
  };
}

function callOf(call: Call, notes: string[]): VerbCall {
  return {
    signal: call.signal,
    withFile: (name, use) => call.withFile(name, use),
    probe: (url, asked) => call.probe(url, asked),
    note: (text) => notes.push(`note: ${text}`),
  };
}
