import { isScript, type Level, type Part, partsOf } from '../../../../plot/drawing/latex';

/** Returns a title in TLatex as matplotlib takes it: commands as mathematical text, between dollars. */
export function mathtextOf(title: string): string {
  return (
    partsOf(title)
      // A backslash before a dollar would make a plain sign of it.
      .map((part) =>
        typeof part === 'string'
          ? part.replace(/\\(?=\$|$)/g, '\\ ').replaceAll('$', '\\$')
          : `$${mathOf(part)}$`,
      )
      .join('')
      .replace(/(?<!\\)\$\$/g, '')
  );
}

const COMMANDS: Readonly<Record<string, string>> = { it: '\\mathit', bf: '\\mathbf', sqrt: '\\sqrt' };

function mathOf(part: Part): string {
  if (typeof part === 'string') return inMath(part);
  const { command, parts, second = [] } = part;
  const inner = parts.map(mathOf).join('');
  if (isScript(part as Level)) return `${command}{${inner}}`;
  if (command === 'frac') return `\\frac{${inner}}{${second.map(mathOf).join('')}}`;
  if (command === 'splitline') return `${inner}\\ ${second.map(mathOf).join('')}`;
  const name = COMMANDS[command];
  return name === undefined ? inner : `${name}{${inner}}`;
}

/** Escapes a text within dollars. Signs that matplotlib has no escape for are left out. */
const inMath = (text: string): string =>
  text
    .replace(/[\\{}^~]/g, '')
    .replace(/[_#%&$]/g, '\\$&')
    .replaceAll(' ', '\\ ')
    .replace(/-/g, '{-}');
