import type { CallOptions, FileId, FriendTree, ScanRequest, TreeInfo } from '../../../api/api';
import type { EngineApi, PackedRows, PackedSource, PackedTable } from '../../../api/engine-api';
import type { OutputValues } from '../../../api/rows';
import { entriesUnread, overBudget, unsupported } from '../../../base/data-errors';
import { formatBytes, formatCount } from '../../../base/format';
import { chooseEntries, countOf, sliceSelection } from '../../../model/entry-choice';
import { parseDraw } from '../../../query/compile/draw-spec';
import type { FittedValues } from './fit';

/** The values of an expression that pass a cut. Either `expr` or `branch` must be given. */
export interface ValuesRequest extends Pick<ScanRequest, 'tree' | 'entries' | 'rootVersion' | 'seed'> {
  /** One expression of TTree::Draw. What follows ">>" does not count. */
  expr?: string | undefined;
  /** One branch instead of an expression: its index in TreeInfo.branches, or its path. */
  branch?: number | string | undefined;
  /** Selection and weight; empty for all values. */
  cut?: string | undefined;
  friends?: FriendTree[] | undefined;
}

/** Memory for values and weights, in bytes. The fit needs a copy of them. */
export const MAX_BYTES = 512 * 1024 * 1024;
/** Memory of the rows that are read at once, in bytes. */
const BLOCK_BYTES = 32 * 1024 * 1024;

/**
 * Reads the values of an expression that pass a cut, with the cut as their weights, as TTree::Draw fills them. Throws BUDGET if they
 * take more than `maxBytes`, UNSUPPORTED for values that are not numbers, and the errors of expressions and reading.
 */
export async function readValues(
  reader: Pick<EngineApi, 'tree' | 'scan'>,
  file: FileId,
  request: ValuesRequest,
  { signal, onProgress, maxBytes = MAX_BYTES }: CallOptions & { maxBytes?: number | undefined } = {},
): Promise<FittedValues> {
  const { tree, cut = '', entries: chosen, friends, rootVersion, seed } = request;
  const info = await reader.tree(file, tree, { signal });
  const own = sourceOf(request, info);
  const packed = cut.trim() === '' ? [own] : [own, cut];
  const { entries: all } = info;
  const choice = chooseEntries(chosen, all);
  const whole = chosen ?? [0, all];
  const entriesTotal = countOf(choice.spans(choice.from, choice.to));
  const scan = (from: number): Promise<PackedTable> => {
    const language = { tree, friends, rootVersion, seed, ...(packed.length > 1 && { cut }) };
    const entries = sliceSelection(whole, from, all);
    const asked = { ...language, columns: '', packed, placed: true, entries, maxBytes: BLOCK_BYTES };
    return reader.scan(file, asked, { signal });
  };
  const values = new ValueParts();
  let waiting: Promise<PackedTable> | undefined = scan(choice.from);
  while (waiting) {
    const table: PackedTable = await waiting;
    const { next } = table;
    if (table.partial) throw entriesUnread(table.partial.errors[0]);
    // The next part is read while this one is taken.
    waiting = next === undefined ? undefined : scan(next);
    waiting?.catch(() => {});
    for (const rows of table.packed ?? []) values.add(rows);
    const entriesDone = next === undefined ? entriesTotal : countOf(choice.spans(choice.from, next));
    if (values.bytes > maxBytes) throw tooMany(values, maxBytes, entriesDone, entriesTotal);
    onProgress?.({ label: `Reading ${tree}`, bytesDone: 0, bytesTotal: 0, entriesDone, entriesTotal });
  }
  return values.all();
}

/** Returns the expression without its histogram, or the branch. Throws UNSUPPORTED for several expressions. */
function sourceOf({ expr = '', branch }: ValuesRequest, { branches }: TreeInfo): PackedSource {
  if (branch !== undefined) {
    const found = branches.find(({ path, index }) => branch === path || branch === index);
    return found ? { text: found.path, branch: found.index } : String(branch);
  }
  const { expressions } = parseDraw(expr);
  const [first, ...others] = expressions;
  if (first && others.length === 0) return first.text.slice(first.from, first.to).trim();
  throw unsupported('Values of one expression are fitted.', 'Leave out the other coordinates, or fit bins.');
}

const tooMany = ({ count }: ValueParts, maxBytes: number, read: number, total: number) =>
  overBudget(
    `The values to be fitted take more than ${formatBytes(maxBytes)} of memory: ${formatCount(count)} in ${formatCount(read)} of ${formatCount(total)} entries.`,
    'Fit bins instead, which give nearly the same, or choose fewer values by a cut or by entries.',
  );

/** Gathers values and weights, part by part. Values and weights that are NaN, and weights of 0, are left out. */
class ValueParts {
  count = 0;
  readonly #parts: { x: Float64Array; weights: Float64Array | undefined }[] = [];
  #isWeighted = false;

  get bytes(): number {
    return 8 * this.count * (this.#isWeighted ? 2 : 1);
  }

  add({ outputs, lists }: PackedRows): void {
    const [own, cut] = outputs.map(numbersOf);
    if (!own) return;
    const [isList, isCutList] = lists;
    const x: number[] | Float64Array = new Float64Array(
      isCutList && cut ? Math.max(own.values.length, cut.values.length) : own.values.length,
    );
    const weights = cut && new Float64Array(x.length);
    let isWeighted = false;
    let count = 0;
    let [at, cutAt] = [0, 0];
    own.counts.forEach((here, row) => {
      const there = cut ? (cut.counts[row] ?? 0) : 1;
      if (isList && isCutList && here !== there)
        throw unsupported('The lists of the cut are not those of the expression.', 'Fit bins instead.');
      // A single number belongs to each element of the list of the other. Neither may be missing.
      const size = here === 0 || there === 0 ? 0 : isList ? here : isCutList ? there : 1;
      for (let i = 0; i < size; i++) {
        const value = own.values[at + (isList ? i : 0)] ?? Number.NaN;
        const weight = cut ? (cut.values[cutAt + (isCutList ? i : 0)] ?? 0) : 1;
        if (weight === 0 || Number.isNaN(weight) || Number.isNaN(value)) continue;
        isWeighted ||= weight !== 1;
        x[count] = value;
        if (weights) weights[count] = weight;
        count += 1;
      }
      at += here;
      if (cut) cutAt += there;
    });
    this.#parts.push({
      x: count < x.length ? x.slice(0, count) : x,
      weights: isWeighted ? weights?.slice(0, count) : undefined,
    });
    this.#isWeighted ||= isWeighted;
    this.count += count;
  }

  /** Throws BUDGET if there is no memory for all. */
  all(): FittedValues {
    const x = this.#room();
    const weights = this.#isWeighted ? this.#room() : undefined;
    let at = 0;
    for (const part of this.#parts.splice(0)) {
      x.set(part.x, at);
      if (part.weights) weights?.set(part.weights, at);
      else weights?.fill(1, at, at + part.x.length);
      at += part.x.length;
    }
    return { kind: 'values', x, weights };
  }

  #room(): Float64Array {
    try {
      return new Float64Array(this.count);
    } catch {
      throw overBudget(`There is no memory for ${formatCount(this.count)} values.`, 'Fit bins instead.');
    }
  }
}

/** Throws UNSUPPORTED for texts. */
function numbersOf({ counts, values, strings }: OutputValues): {
  counts: Int32Array;
  values: ArrayLike<number>;
} {
  if (strings) throw unsupported('The values are texts, not numbers.', 'Fit bins instead.');
  return { counts, values: values instanceof Float64Array ? values : Float64Array.from(values, Number) };
}
