import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Core } from '../../../web/core/core';
import { checkedSelected } from '../../../web/features/selectors/threads/checked';
import type { SelectorBox } from '../../../web/features/selectors/work/partial/process-rows';
import { runSelector } from '../../../web/features/selectors/work/run';
import { loadSelector, mergeOf } from '../../../web/features/selectors/work/selector';

const compiled = WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../../build/xylem.wasm')));
let count = 0;

/** A selector that this thread runs, with answers as a page takes them. */
export async function boxOf(text: string, folder: string): Promise<{ box: SelectorBox; module: string }> {
  const path = join(folder, `box${count++}.mjs`);
  writeFileSync(path, text);
  const module = pathToFileURL(path).href;
  const selector = await loadSelector(module, {});
  const core = await Core.create(await compiled);
  const { branches, where } = selector.own;
  const merge = mergeOf(selector);
  return {
    module,
    box: {
      ...{ branches, where, empty: selector.empty, concurrency: 2 },
      run: async ({ ownSet, ...task }, rows) => {
        const set = { ...ownSet };
        const whole = { ...task, module, set, limitMs: 0 };
        const own = await loadSelector(module, set);
        // Parts end in another order than that in which they began.
        if ((rows.entries[0] ?? 0) % 2 === 0) await new Promise((done) => setTimeout(done, 5));
        return checkedSelected(structuredClone(runSelector(core, own, whole, rows)), task);
      },
      merge: merge && (async (one, other) => merge(one, other)),
    },
  };
}
