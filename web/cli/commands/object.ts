import { floatText, writePlain } from '../export/canonical';
import type { PlainValue } from '../file/api';
import { commonHelp, commonOptions, parseCommand } from './arguments';
import { type Command, withFile } from './context';
import { printable } from './table';

const help = `Usage: xylem object FILE PATH [--json]

Shows the object at PATH (highest cycle, or PATH;CYCLE) with all its members. Text cuts long arrays
short; JSON has everything.

${commonHelp}

JSON: {"_typename": "TH1F", "fName": "h", …}: members as ROOT names them, arrays as lists, integers
exact, and "nan", "inf", "-inf" as strings.

An object that cannot be decoded to its end, as its class or a member's has no streamer info, is shown
as far as it can be, with "$error" (why) and "$bytes" (the whole object uncompressed; JSON: base64).`;

/** Numbers of an array that text shows. */
const shownNumbers = 12;

export const object: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseCommand(args, commonOptions, [2, 2]);
    const [file = '', path = ''] = positionals;
    return await withFile(file, values, context, async ({ reader, info }) => {
      const { out } = context;
      const found = await reader.object(info.id, path);
      if (values.json) {
        writePlain(found, (text) => out.put(text));
        out.line();
      } else {
        outline(found, '', (line) => out.line(line));
      }
      return 0;
    });
  },
};

/** An object as indented lines "member: value". */
function outline(value: PlainValue, indent: string, put: (line: string) => void): void {
  if (!isObject(value)) {
    put(`${indent}${short(value)}`);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (isObject(member)) {
      put(`${indent}${printable(name)}:`);
      outline(member, `${indent}  `, put);
    } else if (Array.isArray(member) && member.some((item) => isObject(item) || Array.isArray(item))) {
      put(`${indent}${printable(name)}: ${member.length} members`);
      member.forEach((item, i) => {
        put(`${indent}  [${i}]`);
        outline(item, `${indent}    `, put);
      });
    } else {
      put(`${indent}${printable(name)}: ${short(member)}`);
    }
  }
}

function isObject(value: PlainValue): value is { [member: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function short(value: PlainValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return floatText(value).replaceAll('"', '');
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = Array.from(value as ArrayLike<PlainValue>, (item, i) =>
      i < shownNumbers ? short(item) : '',
    );
    const rest = items.length - shownNumbers;
    const shown = items.slice(0, shownNumbers).join(', ');
    return rest > 0 ? `[${shown}, … ${rest} more]` : `[${shown}]`;
  }
  return String(value);
}
