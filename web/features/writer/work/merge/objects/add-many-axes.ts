import {
  arrayOf,
  isArray,
  type Members,
  numberOf,
  objectOf,
  unaddable,
} from '../../../../../bins/object-values';
import type { PrimitiveArray } from '../../../../../core/dtypes';
import { checkLabels, sameBins } from './axes';

/** Maximum number of dimensions, and of bytes of a bin's coordinates. */
const MAX_COORDINATES = 1024;

/**
 * Whether a class is a histogram with any number of dimensions. `dense`: all bins are stored (THnT). `sparse`: only
 * bins with values.
 */
export function manyAxesClass(className: string): 'dense' | 'sparse' | undefined {
  if (/^THnT<.+>$/.test(className)) return 'dense';
  return /^THnSparseT<.+>$/.test(className) ? 'sparse' : undefined;
}

/**
 * Adds a THn or THnSparse as THnBase::Merge does. Throws UNSUPPORTED, and does not change the first, if bins differ
 * (ROOT compares only their numbers) or a content does not fit into its type.
 */
export function addManyAxes(into: Members, other: Members): void {
  const [own, more] = [axesOf(into), axesOf(other)];
  if (own.length !== more.length)
    throw unaddable(`It has ${more.length} axes, and the first one ${own.length}.`);
  for (const [i, axis] of own.entries()) {
    const given = more[i] as Members;
    if (!sameBins(axis, given)) throw unaddable(`The bins of its axis ${i} are others.`);
    checkLabels(axis, given);
  }
  const sums = manyAxesClass(String(into._typename)) === 'dense' ? addDense : addSparse;
  const errors = hasErrors(into) || hasErrors(other);
  sums(into, other, errors);
  into.fEntries = numberOf(into, 'fEntries') + numberOf(other, 'fEntries');
  if (!errors) return;
  // fTsumw2 is -1 if squares of weights are not summed. ROOT adds that number to the sum.
  for (const name of ['fTsumw', 'fTsumw2'])
    into[name] = Math.max(0, numberOf(into, name)) + Math.max(0, numberOf(other, name));
  for (const name of ['fTsumwx', 'fTsumwx2']) {
    const [a, b] = [arrayOf(into, name), arrayOf(other, name)];
    into[name] = Float64Array.from(numbersOf(a, Number), (value, i) => value + Number(b[i] ?? 0));
  }
}

function axesOf(histogram: Members): Members[] {
  const axes = objectOf(histogram, 'fAxes').arr;
  if (!Array.isArray(axes)) throw unaddable('Its axes are not an array.');
  return axes as Members[];
}

/** THnBase::GetCalculateErrors. */
function hasErrors(histogram: Members): boolean {
  return numberOf(histogram, 'fTsumw2') >= 0;
}

/** Returns the sum of two contents in the type of an array. Throws if an integer does not fit. */
function sumIn(type: PrimitiveArray, a: number | bigint, b: number | bigint): number | bigint {
  if (type instanceof BigInt64Array || type instanceof BigUint64Array) {
    const sum = BigInt(a) + BigInt(b);
    const signed = type instanceof BigInt64Array;
    if (sum !== (signed ? BigInt.asIntN(64, sum) : BigInt.asUintN(64, sum))) throw tooLarge();
    return sum;
  }
  const sum = Number(a) + Number(b);
  if (type instanceof Float64Array || type instanceof Float32Array) return sum;
  const test = new (type.constructor as new (length: number) => PrimitiveArray)(1);
  test[0] = sum;
  if (test[0] !== sum) throw tooLarge();
  return sum;
}

function tooLarge() {
  return unaddable('A sum of contents does not fit into its type.');
}

const put = (array: PrimitiveArray, at: number, value: number | bigint): void => {
  (array as { [index: number]: number | bigint })[at] = value;
};
const sizeAbs = (value: number | bigint): number => Math.abs(Number(value));
const numbersOf = (array: PrimitiveArray, of: (value: number | bigint) => number): number[] =>
  Array.from(array as ArrayLike<number | bigint>, of);

function addDense(into: Members, other: Members, errors: boolean): void {
  const [own, more] = [into, other].map((one) => objectOf(one, 'fArray'));
  if (!own || !more) return;
  const [sizes, given] = [arrayOf(own, 'fSizes'), arrayOf(more, 'fSizes')];
  const cells = Number(sizes[0] ?? 0);
  if (cells !== Number(given[0] ?? 0)) throw unaddable('It has another number of bins.');
  const [a, b] = [arrayOf(own, 'fData'), arrayOf(more, 'fData')];
  for (const { length } of [a, b])
    if (length !== 0 && length !== cells) throw unaddable(`It has ${length} contents for ${cells} bins.`);
  const sum = b.length === 0 ? a : a.length === 0 ? b.slice() : a.slice();
  if (a.length > 0 && b.length > 0)
    for (let i = 0; i < cells; i++) put(sum, i, sumIn(sum, a[i] ?? 0, b[i] ?? 0));
  const squares = (one: Members, contents: PrimitiveArray): number[] => {
    const known = arrayOf(objectOf(one, 'fSumw2'), 'fData');
    if (known.length > 0 && known.length !== cells)
      throw unaddable(`It has ${known.length} squares for ${cells} bins.`);
    return known.length > 0 ? numbersOf(known, Number) : numbersOf(contents, sizeAbs);
  };
  if (errors) {
    const [x, y] = [squares(into, a), squares(other, b)];
    objectOf(into, 'fSumw2').fData = Float64Array.from(
      { length: cells },
      (_, i) => (x[i] ?? 0) + (y[i] ?? 0),
    );
  }
  own.fData = sum;
}

/** The place of a bin that has values: its chunk, and its index there. */
type Place = readonly [chunk: number, at: number];

/** The bins of the sums so far, by their coordinates. */
const placesOf = new WeakMap<Members, Map<string, Place>>();

function chunksOf(histogram: Members): Members[] {
  const chunks = objectOf(histogram, 'fBinContent').arr;
  if (!Array.isArray(chunks)) throw unaddable('Its bins are not an array.');
  for (const chunk of chunks as Members[]) {
    const bins = binsIn(chunk);
    const squares = chunk.fSumw2 ? valuesOf(chunk, 'fSumw2').length : bins;
    if (valuesOf(chunk, 'fContent').length < bins || squares < bins)
      throw unaddable('A part of its bins has fewer contents than coordinates.');
  }
  return chunks as Members[];
}

function binsIn(chunk: Members): number {
  const size = numberOf(chunk, 'fSingleCoordinateSize');
  const bins = arrayOf(chunk, 'fCoordinates').length / size;
  if (!(size >= 1 && size <= MAX_COORDINATES) || !Number.isInteger(bins))
    throw unaddable('The coordinates of its bins have no whole number of bytes.');
  return bins;
}

function valuesOf(chunk: Members, member: string): PrimitiveArray {
  const value = objectOf(chunk, member).$value;
  if (!isArray(value)) throw unaddable(`${member} of a part of its bins is not an array.`);
  return value;
}

/** Calls `visit` for each bin, with its coordinates as a text. */
function eachBin(chunks: readonly Members[], visit: (coordinates: string, place: Place) => void): void {
  for (const [i, chunk] of chunks.entries()) {
    const size = numberOf(chunk, 'fSingleCoordinateSize');
    const bytes = arrayOf(chunk, 'fCoordinates');
    for (let bin = 0; bin < bytes.length / size; bin++) {
      let text = '';
      for (let k = bin * size; k < (bin + 1) * size; k++)
        text += String.fromCharCode(Number(bytes[k]) & 0xff);
      visit(text, [i, bin]);
    }
  }
}

function addSparse(into: Members, other: Members, errors: boolean): void {
  const own = chunksOf(into);
  const more = chunksOf(other);
  const list = objectOf(into, 'fBinContent');
  let places = placesOf.get(list);
  if (!places) {
    places = new Map();
    const known = places;
    eachBin(own, (coordinates, place) => known.set(coordinates, place));
    placesOf.set(list, places);
  }
  const size = own[0] ? numberOf(own[0], 'fSingleCoordinateSize') : undefined;
  if (size !== undefined && more.some((chunk) => numberOf(chunk, 'fSingleCoordinateSize') !== size))
    throw unaddable('The coordinates of its bins have another size.');
  const found = places;
  // Steps that may fail come first.
  const sums: { place: Place | undefined; coordinates: string; value: number | bigint; square: number }[] =
    [];
  eachBin(more, (coordinates, [i, bin]) => {
    const chunk = more[i] as Members;
    const contents = valuesOf(chunk, 'fContent');
    const value = contents[bin] ?? 0;
    const square = chunk.fSumw2 ? Number(valuesOf(chunk, 'fSumw2')[bin] ?? 0) : sizeAbs(value);
    const place = found.get(coordinates);
    const known = place && valuesOf(own[place[0]] as Members, 'fContent');
    const sum = known ? sumIn(known, known[place[1]] ?? 0, value) : value;
    sums.push({ place, coordinates, value: sum, square });
  });
  if (errors)
    for (const chunk of own)
      chunk.fSumw2 ??= {
        _typename: 'TArrayD',
        $value: Float64Array.from(numbersOf(valuesOf(chunk, 'fContent'), sizeAbs)),
      };
  const grown = new GrowingChunks(into, own, more[0]);
  for (const { place, coordinates, value, square } of sums) {
    const [chunk, at] = place ?? grown.add(coordinates, errors);
    if (!place) found.set(coordinates, [chunk, at]);
    const target = grown.chunks[chunk] as Members;
    put(valuesOf(target, 'fContent'), at, value);
    if (!errors) continue;
    const squares = valuesOf(target, 'fSumw2');
    put(squares, at, Number(squares[at] ?? 0) + square);
  }
  grown.finish();
  into.fFilledBins = BigInt(found.size);
}

/** Chunks to which bins are added: the last one is filled, then new ones follow. */
class GrowingChunks {
  readonly chunks: Members[];
  readonly #size: number;
  readonly #model: Members | undefined;
  /** Coordinates of the chunks that received bins. */
  readonly #coordinates = new Map<number, number[]>();

  constructor(into: Members, chunks: Members[], model: Members | undefined) {
    this.chunks = chunks;
    this.#size = Math.max(1, numberOf(into, 'fChunkSize'));
    this.#model = chunks[0] ?? model;
  }

  /** Returns the place of a new bin. */
  add(coordinates: string, errors: boolean): Place {
    let last = this.chunks.length - 1;
    const bytes = Array.from(coordinates, (letter) => letter.charCodeAt(0));
    if (last < 0 || this.#listOf(last).length / bytes.length >= this.#size) {
      this.chunks.push(this.#newChunk(bytes.length, errors));
      last++;
    }
    const list = this.#listOf(last);
    const at = list.length / bytes.length;
    list.push(...bytes);
    const chunk = this.chunks[last] as Members;
    for (const member of errors ? ['fContent', 'fSumw2'] : ['fContent']) {
      const values = valuesOf(chunk, member);
      if (at < values.length) continue;
      const longer = new (values.constructor as new (length: number) => PrimitiveArray)(this.#size);
      longer.set(values as never);
      objectOf(chunk, member).$value = longer;
    }
    return [last, at];
  }

  #listOf(chunk: number): number[] {
    let list = this.#coordinates.get(chunk);
    if (!list) {
      list = Array.from(arrayOf(this.chunks[chunk] as Members, 'fCoordinates'), Number);
      this.#coordinates.set(chunk, list);
    }
    return list;
  }

  #newChunk(bytes: number, errors: boolean): Members {
    const model = this.#model;
    if (!model) throw unaddable('It has no bins to begin with.');
    const marks = Object.entries(model).filter(([name]) => name.startsWith('$'));
    const values = valuesOf(model, 'fContent');
    const contents = new (values.constructor as new (length: number) => PrimitiveArray)(this.#size);
    return {
      ...Object.fromEntries(marks),
      ...{ _typename: 'THnSparseArrayChunk', fUniqueID: 0, fBits: 0 },
      ...{ fSingleCoordinateSize: bytes, fCoordinatesSize: 0, fCoordinates: new Int8Array(0) },
      fContent: { ...objectOf(model, 'fContent'), $value: contents },
      fSumw2: errors ? { _typename: 'TArrayD', $value: new Float64Array(this.#size) } : null,
    };
  }

  finish(): void {
    for (const [i, list] of this.#coordinates) {
      const chunk = this.chunks[i] as Members;
      chunk.fCoordinates = Int8Array.from(list);
      chunk.fCoordinatesSize = list.length;
    }
  }
}
