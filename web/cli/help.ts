import { wrapped } from '../base/format';
import type { Option, Options } from './options';

/** Characters of a line of help. */
const WIDTH = 110;
/** Column where the description of an option begins; longer names have a line of their own. */
const COLUMN = 21;

interface Described {
  usage: readonly string[];
  about: string;
  examples?: readonly (readonly [words: string, about: string])[];
  options: Options;
  notes?: string;
  json?: string;
  exit?: string;
}

/** The help of a command: its usage, description and options, and what it prints. */
export function commandHelp(
  name: string,
  { usage, about, examples = [], options, notes, json, exit }: Described,
): string {
  const lines = usage.map(
    (form, i) => `${i === 0 ? 'Usage:' : '      '} ${`xylem ${name} ${form}`.trimEnd()} [OPTION…]`,
  );
  const end = [
    json === undefined ? [] : `JSON: ${json}`,
    exit === undefined ? [] : `Exit status: ${exit}`,
  ].flat();
  return [
    lines.join('\n'),
    about,
    ...(examples.length > 0 ? [exampleLines(name, examples).join('\n')] : []),
    Object.entries(options)
      .map(([option, spec]) => optionLines(option, spec).join('\n'))
      .join('\n'),
    ...(notes === undefined ? [] : [notes]),
    ...(end.length > 0 ? [end.join('\n')] : []),
  ].join('\n\n');
}

/** Examples as lines: what each does, and the command line below. */
function exampleLines(
  name: string,
  examples: readonly (readonly [words: string, about: string])[],
): string[] {
  return [
    'Examples:',
    ...examples.flatMap(([words, about]) => [`  # ${about}`, `  ${`xylem ${name} ${words}`.trimEnd()}`]),
  ];
}

function optionLines(name: string, { short, value, about }: Option): string[] {
  const flags = `  ${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  const [first = '', ...rest] = wrapped(about, WIDTH - COLUMN);
  const indent = ' '.repeat(COLUMN);
  const head = flags.length + 2 > COLUMN ? [flags, indent + first] : [flags.padEnd(COLUMN) + first];
  return [...head, ...rest.map((line) => indent + line)];
}
