/**
 * The marker styles 35 to 49 as polygons and lines: x and y of each corner in turn, in units of half the radius, y
 * down.
 */
export const LATER_FORMS: Readonly<Record<number, readonly number[][]>> = (() => {
  const upright = [0, -2, 0, 2];
  const level = [-2, 0, 2, 0];
  const three = [
    [0, 0, -1, -2, -2, 0],
    [0, 0, 1, -2, 2, 0],
    [0, 0, -1, 2, 1, 2],
  ];
  const turned = [
    [0, 0, -1, -2, -2, -1],
    [0, 0, 1, -2, 2, -1],
    [0, 0, 2, 1, 1, 2],
    [0, 0, -2, 1, -1, 2],
  ];
  const star = [[0, -2, 0.5, -0.5, 2, 0, 0.5, 0.5, 0, 2, -0.5, 0.5, -2, 0, -0.5, -0.5]];
  const cross = [[0, -1, 1, -2, 2, -1, 1, 0, 2, 1, 1, 2, 0, 1, -1, 2, -2, 1, -1, 0, -2, -1, -1, -2]];
  const diamond = (x: number, y: number) => [x, y - 1, x + 1, y, x, y + 1, x - 1, y];
  const third = 2 / 3;
  const square = (x: number, y: number) =>
    [-third, -third, third, -third, third, third, -third, third].map((at, i) => at + (i % 2 ? y : x));
  return {
    35: [[0, -2, 2, 0, 0, 2, -2, 0], upright, level],
    36: [
      [-2, -2, 2, -2, 2, 2, -2, 2],
      [-2, -2, 2, 2],
      [2, -2, -2, 2],
    ],
    37: three,
    38: [[-1, -2, 1, -2, 2, -1, 2, 1, 1, 2, -1, 2, -2, 1, -2, -1], upright, level],
    39: three,
    40: turned,
    41: turned,
    42: star,
    43: star,
    44: [
      [0, 0, -1, -2, 1, -2],
      [0, 0, 2, -1, 2, 1],
      [0, 0, 1, 2, -1, 2],
      [0, 0, -2, 1, -2, -1],
    ],
    45: [
      [-1, -2, 1, -2, 0.4, -0.4, 2, -1, 2, 1, 0.4, 0.4, 1, 2, -1, 2, -0.4, 0.4, -2, 1, -2, -1, -0.4, -0.4],
    ],
    46: cross,
    47: cross,
    48: [diamond(-1, -1), diamond(1, -1), diamond(1, 1), diamond(-1, 1)],
    49: [square(0, -2 * third), square(2 * third, 0), square(0, 2 * third), square(-2 * third, 0)],
  };
})();
