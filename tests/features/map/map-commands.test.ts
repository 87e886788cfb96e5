import { expect, test } from 'vitest';
import { mapCommands } from '../../../web/features/map/view/map-commands';
import type { MapWindow } from '../../../web/features/map/work/file-map-window';

test('each key of the map moves or zooms its window', () => {
  const calls: string[] = [];
  const note = (name: string) => [name, (...args: number[]) => calls.push(`${name} ${args}`)];
  const names = ['move', 'moveTo', 'zoomAt', 'showWhole'] as const;
  const window = { ...Object.fromEntries(names.map(note)), rowBytes: 100, rows: 7, middle: () => 5 };
  const map = {
    window: window as unknown as MapWindow,
    step: (by: number) => calls.push(`step ${by}`),
    follow: () => calls.push('follow'),
  };
  for (const { keys, run } of mapCommands) for (const key of keys) run(map, key);
  expect(calls).toEqual([
    ...['move -100', 'move 100', 'move -10', 'move 10', 'move -700', 'move 700'],
    ...['moveTo 0', `moveTo ${Number.MAX_SAFE_INTEGER}`, 'zoomAt 2,5', 'zoomAt 2,5', 'zoomAt 0.5,5'],
    ...['showWhole ', 'step 1', 'step -1', 'follow'],
  ]);
});
