import type { PlainValue } from '../../api/api';
import { numberText } from '../../base/json';
import { needed, TEXT } from '../../base/shape';
import { writePlain } from '../../export/canonical';
import { isRecord } from '../../model/plain-members';
import { command } from '../command';
import { withFile } from '../context';
import { commonOptions, FILE_TEXT } from '../options';
import { commandTool } from '../tool';

/** Maximum number of array elements that text shows. */
const SHOWN_NUMBERS = 12;

export const object = command({
  usage: ['FILE PATH'],
  about: `Shows the object at PATH (highest cycle, or PATH;CYCLE) with all its members. Text cuts long arrays
short; JSON has everything. ${FILE_TEXT}`,
  examples: [
    ['sample.root about', 'a stored object with its members'],
    ['sample.root plots/dimuonMass --json', 'a histogram as JSON'],
  ],
  options: commonOptions,
  json: `{"_typename": "TH1F", "fName": "h", …}: members as ROOT names them, arrays as lists, integers
exact, and "nan", "inf", "-inf" as strings.

An object that cannot be decoded to its end, as its class or a member's has no streamer info, is shown
as far as it can be, with "$error" (why) and "$bytes" (the whole object uncompressed; JSON: base64).`,
  tool: commandTool({
    title: 'A stored object',
    description:
      'The members of a stored object (TNamed, TParameter, histograms, …) as JSON, with the names of ROOT. To see the bins of a histogram, use draw.',
    params: { path: needed(TEXT, 'PATH', 'Path of the object, as contents lists it.') },
    line: ({ path }, { file }) => ({ options: { json: true }, words: [file, path] }),
  }),
  async run(given, [file = '', path = ''], context) {
    return await withFile(file, given, context, async (open) => {
      const { out } = context;
      const found = await open.object(path);
      if (given.json) {
        writePlain(found, (text) => out.put(text));
        out.line();
      } else {
        outline(found, '', (line) => out.line(line));
      }
      return 0;
    });
  },
});

/** An object as indented lines "member: value". */
function outline(value: PlainValue, indent: string, put: (line: string) => void): void {
  if (!isRecord(value)) {
    put(`${indent}${short(value)}`);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (isRecord(member)) {
      put(`${indent}${name}:`);
      outline(member, `${indent}  `, put);
    } else if (Array.isArray(member) && member.some((item) => isRecord(item) || Array.isArray(item))) {
      put(`${indent}${name}: ${member.length} members`);
      member.forEach((item, i) => {
        put(`${indent}  [${i}]`);
        outline(item, `${indent}    `, put);
      });
    } else {
      put(`${indent}${name}: ${short(member)}`);
    }
  }
}

function short(value: PlainValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = Array.from(value as ArrayLike<PlainValue>, (item, i) =>
      i < SHOWN_NUMBERS ? short(item) : '',
    );
    const rest = items.length - SHOWN_NUMBERS;
    const shown = items.slice(0, SHOWN_NUMBERS).join(', ');
    return rest > 0 ? `[${shown}, … ${rest} more]` : `[${shown}]`;
  }
  return String(value);
}
