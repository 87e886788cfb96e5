import { XylemError } from '../../../base/errors';
import { Core } from '../../../core/core';
import { runSelector } from '../work/run';
import { type LoadedSelector, loadSelector, mergeOf, selectorError } from '../work/selector';
import { type BoxApi, type BoxLoad, SELECTOR_NAME } from './box-api';

/** Runs one selector in this worker. `before` is called after everything but the selector was loaded. */
export function serveBox(before: () => void = () => {}): BoxApi {
  let core: Core;
  let selector: LoadedSelector;
  /** The first unhandled rejection. Results that it would have filled are missing. */
  let rejected: { reason: unknown } | undefined;
  const later = setTimeout;
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    rejected ??= { reason: event.reason };
  });
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
        return { branches: { ...branches }, where, merges: merge !== undefined, empty: selector.empty };
      }),
    run: ({ ownSet, ...task }, rows) =>
      named(async () => {
        const { module } = selector;
        const set = { ...selector.set, ...ownSet };
        const own = ownSet ? await loadSelector(module, set) : selector;
        const made = runSelector(core, own, { ...task, module, set, limitMs: 0 }, rows);
        // Rejections are reported in a later turn of the event loop.
        await new Promise<void>((resolve) => later(() => later(resolve)));
        if (rejected) throw selectorError(module, 'failed in a promise that nothing awaits', rejected.reason);
        return made;
      }),
    merge: (one, other) => named(() => mergeOf(selector)?.(one, other) ?? {}),
  };
}

function addressOf(selector: BoxLoad['selector']): string {
  if ('module' in selector) return selector.module;
  return URL.createObjectURL(new Blob([selector.text], { type: 'text/javascript' }));
}

/** Replaces the address of a text by its name in messages. */
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
