import { unsupported } from '../../../base/data-errors';
import type { Column } from '../../../core/columns';
import type { FittedValues } from './fit';

/** Numbers of a column, with the first one of each row. */
interface Numbers {
  data: Float64Array;
  /** Undefined if each row has one. */
  starts: ArrayLike<number> | undefined;
}

/** Returns the values of the first column for which the second is not 0: their weights. Values that are NaN are left out. */
export function passingValues([values, cut]: readonly Column[]): FittedValues {
  const own = numbersOf(values);
  const other = cut && numbersOf(cut);
  const x = new Float64Array(own.data.length);
  const weights = new Float64Array(own.data.length);
  let count = 0;
  let isWeighted = false;
  const rows = values?.length ?? 0;
  for (let row = 0; row < rows; row++) {
    const [from, to] = [own.starts?.[row] ?? row, own.starts?.[row + 1] ?? row + 1];
    const first = other?.starts?.[row] ?? row;
    if (other?.starts && (other.starts[row + 1] ?? 0) - first !== to - from)
      throw unsupported('The lists of the cut are not those of the expression.', 'Fit bins instead.');
    for (let i = from; i < to; i++) {
      const weight = other ? (other.data[other.starts ? first + i - from : row] ?? 0) : 1;
      const value = own.data[i] ?? Number.NaN;
      if (weight === 0 || Number.isNaN(weight) || Number.isNaN(value)) continue;
      isWeighted ||= weight !== 1;
      x[count] = value;
      weights[count] = weight;
      count += 1;
    }
  }
  return {
    kind: 'values',
    x: x.slice(0, count),
    weights: isWeighted ? weights.slice(0, count) : undefined,
  };
}

function numbersOf(column: Column | undefined): Numbers {
  if (column?.kind === 'primitive')
    return { data: Float64Array.from(column.data as ArrayLike<number>, Number), starts: undefined };
  if (column?.kind === 'list' && column.child.kind === 'primitive')
    return { data: numbersOf(column.child).data, starts: column.offsets };
  if (column?.kind === 'optional' && column.child.kind === 'primitive') {
    const { data } = numbersOf(column.child);
    const { validity } = column;
    return {
      data: data.map((value, i) => (((validity[i >> 3] ?? 0) >> (i & 7)) & 1 ? value : Number.NaN)),
      starts: undefined,
    };
  }
  throw unsupported('The values are not numbers, or lists of lists.', 'Fit bins instead.');
}
