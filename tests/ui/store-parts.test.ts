import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { createViewerStore } from '../../web/ui/state/store';
import { createMockReader } from '../mock-reader';

/** The paths of all signals within an object, by signal. */
function signalsIn(object: object, path = '', found = new Map<object, string[]>()): Map<object, string[]> {
  for (const [name, value] of Object.entries(object)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (value instanceof Signal) found.set(value, [...(found.get(value) ?? []), here]);
    else if (typeof value === 'object' && value !== null) signalsIn(value, here, found);
  }
  return found;
}

it('each signal of a viewer is in one part of its state', () => {
  const store = createViewerStore(createMockReader({ branches: 3 }));
  const paths = [...signalsIn({ ...store, insight: undefined }).values()];
  expect(paths.filter(({ length }) => length > 1)).toEqual([]);
  const parts = new Set(paths.flat().map((path) => path.split('.')[0]));
  expect([...parts].sort()).toEqual([
    ...[
      'activities',
      'awaited',
      'contents',
      'files',
      'history',
      'jobs',
      'navigation',
      'plot',
      'report',
      'rows',
      'selection',
      'session',
    ],
    ...['theme', 'traffic'],
  ]);
  store.dispose();
});

it('the parts of the state are made of those before them, and none waits for a later one', () => {
  const folder = join(import.meta.dirname, '../../web/ui/state');
  const needs = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => {
        const text = readFileSync(join(folder, name), 'utf8');
        const imports = [...text.matchAll(/^import (?!type)[^;]*? from '(\.[^']+)';/gm)];
        return [name.replace(/\.ts$/, ''), imports.map(([, other = '']) => join(dirname(name), other))];
      }),
  );
  const ringOf = (name: string, path: string[] = []): string[] | undefined => {
    if (path.includes(name)) return [...path, name];
    for (const other of needs.get(name) ?? []) {
      const ring = ringOf(other, [...path, name]);
      if (ring) return ring;
    }
    return undefined;
  };
  expect(needs.get('store')).toContain('navigation');
  expect([...needs.keys()].map((name) => ringOf(name)).filter(Boolean)).toEqual([]);
  // In the function that makes the parts, no function is handed on that names a part which comes later.
  const store = readFileSync(join(folder, 'store.ts'), 'utf8');
  const making = store.slice(store.indexOf('export function createViewerStore'), store.indexOf('  return {'));
  expect(making).toContain('createNavigation(');
  expect(making).not.toContain('=>');
});
