import { describe, expect, it } from 'vitest';
import { type MapModel, uniformEdges } from '../../web/plot/model';
import { filledWindow } from '../../web/plot/ranges';

const map = (nx: number, ny: number, filled: [x: number, y: number, value: number][]): MapModel => {
  const values = new Float64Array(nx * ny);
  for (const [x, y, value] of filled) values[y * nx + x] = value;
  return {
    kind: 'map',
    ...{ title: '', xTitle: '', yTitle: '', zTitle: '', stats: [], values },
    ...{ xEdges: uniformEdges(nx, 0, nx), yEdges: uniformEdges(ny, -ny, 0) },
  };
};

describe('the filled part of a map', () => {
  it('reaches over whole bins from the first to the last that has contents, negative weights too', () => {
    const model = map(10, 8, [
      [2, 3, 5],
      [4, 1, -2],
      [9, 6, Number.NaN],
    ]);
    expect(filledWindow(model)).toEqual({ x: [2, 5], y: [-7, -4] });
  });

  it('says nothing of an axis that is filled from end to end, nor of an empty map', () => {
    const corners = (x: number, y: number) =>
      filledWindow(
        map(4, 4, [
          [0, 0, 1],
          [x, y, 1],
        ]),
      );
    expect(corners(3, 3)).toBeUndefined();
    expect(corners(3, 1)).toEqual({ x: undefined, y: [-4, -2] });
    expect(filledWindow(map(4, 4, []))).toBeUndefined();
  });
});
