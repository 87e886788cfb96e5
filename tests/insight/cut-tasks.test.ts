import { expect, test } from 'vitest';
import { cutTasks, type TaskSource } from '../../web/reads/cut-tasks';

let state = 7;
const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

function randomSource(): TaskSource {
  const clusters = random(9);
  const starts = Float64Array.from({ length: Math.max(1, clusters) }, (_, i) => i * 10);
  return { entries: clusters * 10, starts, bytes: starts.map(() => random(5) * 1000) };
}

test('every entry of every file is in one task, and tasks differ by a cluster at most', () => {
  for (let round = 0; round < 200; round++) {
    const sources = Array.from({ length: 1 + random(12) }, randomSource);
    const count = 1 + random(30);
    const tasks = cutTasks(sources, count);
    expect(tasks.length).toBeLessThanOrEqual(count);
    const next = sources.map(() => 0);
    const seen = sources.map(() => 0);
    for (const { source, entries, whole } of tasks.flat()) {
      const [from, to] = entries;
      expect(from).toBe(next[source]);
      expect(from % 10).toBe(0);
      next[source] = to;
      seen[source] = (seen[source] ?? 0) + 1;
      expect(whole).toBe(from === 0 && to === sources[source]?.entries);
    }
    expect(next).toEqual(sources.map(({ entries }) => entries));
    expect(seen.every((times) => times > 0)).toBe(true);
    const all = sources.flatMap(({ bytes }) => [...bytes]);
    const share = all.reduce((sum, bytes) => sum + Math.max(1, bytes), 0) / count;
    const most = Math.max(1, ...all);
    for (const task of tasks) {
      const bytes = task.reduce((sum, input) => sum + input.bytes, 0);
      expect(bytes).toBeLessThanOrEqual(share + most);
    }
  }
});

test('files without entries have a task', () => {
  const empty: TaskSource = { entries: 0, starts: Float64Array.of(0), bytes: Float64Array.of(0) };
  expect(cutTasks([empty, empty], 1)).toEqual([
    [
      { source: 0, entries: [0, 0], whole: true, bytes: 0 },
      { source: 1, entries: [0, 0], whole: true, bytes: 0 },
    ],
  ]);
  expect(cutTasks([], 3)).toEqual([]);
});
