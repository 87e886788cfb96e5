import { XylemError } from '../../web/base/errors';
import { Core } from '../../web/core/core';
import { runSelector } from '../../web/pass/selector/run';
import { beginOf, gatheredOf, type LoadedSelector, loadSelector } from '../../web/pass/selector/selector';
import { type BoxApi, type BoxLoad, SELECTOR_NAME } from './box-api';

/** Runs one selector in this worker. `before` is called when all but the selector was loaded. */
export function serveBox(before: () => void = () => {}): BoxApi {
  let core: Core;
  let selector: LoadedSelector;
  return {
    load: ({ selector: given, core: compiled, set }) =>
      named(async () => {
        core = await Core.create(
          compiled instanceof WebAssembly.Module ? compiled : await WebAssembly.compile(compiled),
        );
        const address = addressOf(given);
        before();
        selector = await loadSelector(address, set);
        const { branches, where, merge } = selector.own;
        const empty = gatheredOf(beginOf(selector, undefined), { file: '', tree: '', from: 0 });
        return { branches: { ...branches }, where, merges: merge !== undefined, empty };
      }),
    run: (task, rows) =>
      named(() => {
        const { module, set } = selector;
        return runSelector(
          core,
          selector,
          { ...task, module, set, sample: '', weighted: false, limitMs: 0 },
          rows,
        );
      }),
    merge: (one, other) => named(() => selector.own.merge?.(one, other) ?? {}),
  };
}

function addressOf(selector: BoxLoad['selector']): string {
  if ('module' in selector) return selector.module;
  return URL.createObjectURL(new Blob([selector.text], { type: 'text/javascript' }));
}

/** Names a text in messages by its name. */
async function named<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof XylemError)) throw thrown;
    const { cause: _cause, where: _where, ...record } = thrown.toRecord();
    throw new XylemError({
      ...record,
      message: record.message.replaceAll(
        /(blob:null\/)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g,
        SELECTOR_NAME,
      ),
    });
  }
}
