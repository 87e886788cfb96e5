import type { BranchInfo, DrawOutcome, FileId, Table, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { unsupported } from '../../../base/data-errors';
import { type ErrorRecord, XylemError } from '../../../base/errors';
import { quotedText } from '../../../base/literal';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { isLength } from '../../../query/compile/leaf';
import { commentText, Identifiers } from './type-text';

/** Number of branches that the selector fills histograms of. */
const FILLED = 3;
/** Number of branches that are tried for that. */
const TRIED = 24;
/** Number of branches whose types are written. */
const MAX_TYPES = 4000;
/** Ranges of the axes are those of this many entries. */
const RANGE_ENTRIES = 10_000;

/** Words that cannot name a variable in a module, and the names of the code itself. */
const RESERVED = new Set(
  [
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends',
    'false finally for function if implements import in instanceof interface let new null package private protected',
    'public return static super switch this throw true try typeof var void while with yield job out',
  ].flatMap((line) => line.split(' ')),
);

export interface SelectorTextOptions {
  /** TypeScript, or JavaScript with its types in comments. */
  language: 'ts' | 'js';
  signal?: AbortSignal | undefined;
}

/** A branch that a selector can read. */
interface Input {
  /** Its name in the code. */
  name: string;
  expr: string;
  type: string;
  /** C++ type and title, for people. */
  about: string;
  column: Table['columns'][number];
}

/** An input that is filled, with its histogram. */
interface Filled extends Input {
  axis: string;
}

/**
 * Returns the text of a first selector for a tree: the types of its branches, and code that fills histograms of some of
 * them. Reads a part of these branches, for the ranges of the axes. Throws UNSUPPORTED where no branch can be read by a
 * selector, and the error of reading where none of those that were tried could be read.
 */
export async function selectorText(
  reader: EngineApi,
  file: FileId,
  tree: TreeInfo,
  { language, signal }: SelectorTextOptions,
): Promise<string> {
  const inputs = await inputsOf(reader, file, tree, signal);
  if (inputs.length === 0) {
    throw unsupported(
      `No branch of "${tree.path}" as a whole has numbers or texts, which are what a selector reads.`,
      'Write the selector by hand: its expressions may name a member of a branch, such as "event.x". "xylem ls" shows the branches.',
      { path: tree.path },
    );
  }
  const filled = await filledOf(reader, file, tree, inputs, signal);
  return language === 'ts' ? typeScript(tree, inputs, filled) : javaScript(tree, inputs, filled);
}

/** The branches of numbers and texts, with the types that a selector gets of them. */
async function inputsOf(
  reader: EngineApi,
  file: FileId,
  tree: TreeInfo,
  signal: AbortSignal | undefined,
): Promise<Input[]> {
  const names = new Identifiers((name) => RESERVED.has(name));
  const inputs: Input[] = [];
  for (const branch of tree.branches) {
    if (inputs.length === MAX_TYPES) break;
    if (branch.kind !== 'number' && branch.kind !== 'string') continue;
    for (const expr of new Set([branch.name, branch.path.replaceAll('/', '.')])) {
      const column = await columnOf(reader, file, tree, branch, expr, signal);
      if (!column) continue;
      const about = commentText(
        [branch.typeName, branch.documentation ?? branch.title]
          .filter((text) => text !== '' && text !== branch.name)
          .join(', '),
      );
      inputs.push({ name: names.give(expr), expr, type: typeOf(column, branch), about, column });
      break;
    }
  }
  return inputs;
}

/** How an expression that names a branch is read; undefined where it names none, or another one. */
async function columnOf(
  reader: EngineApi,
  file: FileId,
  tree: TreeInfo,
  { index }: BranchInfo,
  expr: string,
  signal: AbortSignal | undefined,
): Promise<Table['columns'][number] | undefined> {
  try {
    if (!branchesOfQuery(tree, expr).some((branch) => branch.index === index)) return undefined;
    const asked = { tree: tree.path, columns: expr, entries: [0, 0] as [number, number] };
    const { columns } = await reader.scan(file, asked, { signal });
    return columns.length === 1 ? columns[0] : undefined;
  } catch (thrown) {
    if (thrown instanceof XylemError && ['ARGUMENT', 'NOT_FOUND', 'UNSUPPORTED'].includes(thrown.code))
      return undefined;
    throw thrown;
  }
}

function typeOf({ kind, list, dtype }: Table['columns'][number], branch: BranchInfo): string {
  const values =
    kind === 'string'
      ? 'string[]'
      : dtype === 'i64'
        ? 'BigInt64Array'
        : dtype === 'u64' && !isLength(branch)
          ? 'BigUint64Array'
          : 'Float64Array';
  if (!list) return values;
  return values === 'Float64Array' ? 'ListColumn' : `ListColumn<${values}>`;
}

/** The first inputs that can be read: those of broken numbers before whole ones, and texts last. */
async function filledOf(
  reader: EngineApi,
  file: FileId,
  tree: TreeInfo,
  inputs: readonly Input[],
  signal: AbortSignal | undefined,
): Promise<Filled[]> {
  const rank = ({ kind }: Table['columns'][number]): number => ['number', 'integer', 'string'].indexOf(kind);
  const tried = [...inputs].sort((a, b) => rank(a.column) - rank(b.column)).slice(0, TRIED);
  const numbers = tried.filter(({ column }) => column.kind !== 'string');
  const draws = numbers.map(({ expr }) => ({ expr, axes: [{ bins: 100 }] }));
  const filled: Filled[] = [];
  let error: ErrorRecord | undefined;
  for (let from = 0; from < draws.length && filled.length < FILLED; from += FILLED) {
    const request = {
      tree: tree.path,
      draws: draws.slice(from, from + FILLED),
      entries: [0, Math.min(tree.entries, RANGE_ENTRIES)] as [number, number],
    };
    const outcomes = await reader.drawAll(file, request, { signal });
    for (const [i, outcome] of outcomes.entries()) {
      const input = numbers[from + i];
      const axis = axisOf(outcome);
      if (axis !== undefined && input) filled.push({ ...input, axis });
      else error ??= outcome.kind === 'error' ? outcome.error : undefined;
    }
  }
  if (filled.length > 0) return filled.slice(0, FILLED);
  const texts = tried.filter(({ column }) => column.kind === 'string').slice(0, FILLED);
  if (texts.length === 0 && error) throw new XylemError(error);
  return texts.map((input) => ({ ...input, axis: '[100, 0, 100]' }));
}

/** The axis of a histogram that was read whole. */
function axisOf(outcome: DrawOutcome): string | undefined {
  if (outcome.kind !== 'histogram' || outcome.partial) return undefined;
  const [axis] = outcome.axes;
  const isGood = axis && axis.low < axis.high && Number.isFinite(axis.high - axis.low);
  return isGood ? `[100, ${axis.low}, ${axis.high}]` : '[100, 0, 100]';
}

/** The values that are filled of a column: texts by their lengths. */
function valuesOf({ name, column: { kind, list } }: Input): string {
  const values = list ? `${name}.values` : name;
  return kind === 'string' ? `${values}.map((text) => text.length)` : values;
}

/** The members of the selector, the same in both languages. */
function membersOf(inputs: readonly Input[], filled: readonly Filled[]): string {
  const lines = (textOf: (one: Filled) => string): string => filled.map(textOf).join('');
  const rest =
    inputs.length > filled.length ? '    // Others of the branches above, or expressions of them.\n' : '';
  return `  branches: {
${lines(({ name, expr }) => `    ${name}: ${quotedText(expr)},\n`)}${rest}  },
  // A cut: entries for which it is false are left out.
  // where: ${quotedText(`${filled[0]?.expr ?? ''} > 0`)},
  begin: (job) => ({
${lines(({ name, axis, about, column }) => `    ${name}: job.hist(${axis}), // ${column.kind === 'string' ? 'lengths of texts; ' : ''}${about}\n`)}  }),
  process({ ${filled.map(({ name }) => name).join(', ')} }, out) {
${lines((one) => `    out.${one.name}.fill(${valuesOf(one)});\n`)}  },
`;
}

function aboutTree({ path, entries }: TreeInfo, left: number): string {
  const more = left > 0 ? `; the types of ${left} others are left out` : '';
  return `The branches of ${commentText(path)}, ${entries} entries, as a selector gets a part of them${more}.`;
}

/** The number of branches whose types are not written. */
function leftOut(tree: TreeInfo, inputs: readonly Input[]): number {
  const all = tree.branches.filter(({ kind }) => kind === 'number' || kind === 'string').length;
  return inputs.length === MAX_TYPES ? all - MAX_TYPES : 0;
}

const RUN =
  'xylem process THIS_FILE FILE TREE --result NAME; docs/features/selectors.md has what a selector can do.';

function typeScript(tree: TreeInfo, inputs: readonly Input[], filled: readonly Filled[]): string {
  const lists = inputs.some(({ type }) => type.startsWith('ListColumn')) ? 'ListColumn, ' : '';
  const names = filled.map(({ name }) => `'${name}'`).join(' | ');
  return `// ${RUN}
import type { ${lists}Selector, SelectorHistogram } from 'xylem';

/** ${aboutTree(tree, leftOut(tree, inputs))} */
type Branches = {
${inputs.map(({ name, type, about }) => `  /** ${about} */\n  ${name}: ${type};\n`).join('')}};

const selector: Selector<Pick<Branches, ${names}>, Record<${names}, SelectorHistogram>> = {
${membersOf(inputs, filled)}};
export default selector;
`;
}

function javaScript(tree: TreeInfo, inputs: readonly Input[], filled: readonly Filled[]): string {
  const names = filled.map(({ name }) => `'${name}'`).join(' | ');
  const types = inputs.map(
    ({ name, type, about }) => ` * @property {${typeInComment(type)}} ${name} ${about}\n`,
  );
  return `// @ts-check
// ${RUN}

/**
 * ${aboutTree(tree, leftOut(tree, inputs))}
 * @typedef {object} Branches
${types.join('')} */

/** @type {import('xylem').Selector<Pick<Branches, ${names}>, Record<${names}, import('xylem').SelectorHistogram>>} */
const selector = {
${membersOf(inputs, filled)}};
export default selector;
`;
}

function typeInComment(type: string): string {
  return type.startsWith('ListColumn') ? `import('xylem').${type}` : type;
}
