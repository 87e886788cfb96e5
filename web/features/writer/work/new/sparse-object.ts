import { type SparseHistogram, sparseContents } from '../../../../bins/sparse-histogram';
import { axisJson } from '../../../../bins/to-root';
import type { TapeValue } from '../../../../core/tape';
import type { ObjectData } from '../encode/types';
import { put } from './histogram-object';
import type { Templates } from './templates';

type Data = { [member: string]: TapeValue };

/** Returns a histogram with any number of axes as THnSparseT<TArrayD>, with errors. */
export function sparseObject(histogram: SparseHistogram, templates: Templates): ObjectData {
  const { axes, fills, name, title } = histogram;
  const made = sparseContents(histogram);
  const object = templates.make('THnSparseT<TArrayD>');
  const axis = first(object.fAxes);
  const chunk = first(object.fBinContent);
  put(object, {
    ...{ fName: name, fTitle: title, fNdimensions: axes.length, fEntries: fills },
    ...{ fTsumw: made.sumOfWeights, fTsumw2: made.sumOfSquares },
    ...{ fTsumwx: made.sumsOfX, fTsumwx2: made.sumsOfX2 },
    ...{ fChunkSize: made.chunkSize, fFilledBins: BigInt(histogram.cells.length) },
  });
  fill(
    object.fAxes,
    axes.map((one, i) => {
      const own = structuredClone(axis);
      put(own, axisJson(`axis${i}`, one.title, one));
      return own;
    }),
  );
  fill(
    object.fBinContent,
    made.chunks.map(({ coordinates, contents, squares }) => ({
      ...structuredClone(chunk),
      fSingleCoordinateSize: made.coordinateBytes,
      fCoordinatesSize: coordinates.length,
      fCoordinates: coordinates,
      fContent: { _typename: 'TArrayD', $value: contents },
      fSumw2: { _typename: 'TArrayD', $value: squares },
    })),
  );
  return object;
}

/** Returns the only object of a TObjArray. */
function first(list: TapeValue | undefined): Data {
  return (list as { arr: Data[] }).arr[0] as Data;
}

function fill(list: TapeValue | undefined, objects: readonly Data[]): void {
  Object.assign(list as Data, { arr: [...objects] });
}
