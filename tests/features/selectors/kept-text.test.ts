import { expect, test, vi } from 'vitest';
import { keptText } from '../../../web/features/selectors/view/kept-text';

/** A storage as that of a tab. */
function storageOf(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
    key: (i: number) => [...items.keys()][i] ?? null,
    clear: () => items.clear(),
    get length() {
      return items.size;
    },
  };
}

test('a text is kept for its file and tree, and for no other one', async () => {
  const storage = storageOf();
  const named = (name: string) => keptText(storage, name);
  named('a.root Events').save('one');
  await vi.waitFor(() => expect(named('a.root Events').load()).toBe('one'));
  expect(named('b.root Events').load()).toBeUndefined();
});

test('a text that is too long, and a storage that refuses, keep nothing', async () => {
  const storage = storageOf();
  const long = keptText(storage, 'long');
  long.save('short');
  await vi.waitFor(() => expect(long.load()).toBe('short'));
  // The text of before is older than the one that is written now.
  long.save('x'.repeat(300_001));
  await vi.waitFor(() => expect(storage.length).toBe(0));
  const full: Storage = Object.assign(storageOf(), {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  const refused = keptText(full, 'a');
  refused.save('text');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(refused.load()).toBeUndefined();
  expect(keptText(undefined, 'a').load()).toBeUndefined();
});
