import { toXylemError } from '../../base/errors';
import type { ViewerStore } from '../state/viewer-state';

/** Fetches the whole open file into the cache. */
export async function keepOffline({ session, traffic }: ViewerStore): Promise<void> {
  const { cache } = traffic;
  const open = session.file.peek();
  if (open === null) return;
  cache.keeping.value = null;
  const tell = (text: string): void => {
    if (session.file.peek() === open) cache.keeping.value = text;
  };
  try {
    await session.call('keep', 'Keeping the file on this machine', (api, file, options) =>
      api.keepOffline(file, options),
    );
    tell('All of this file is kept; it opens without its server.');
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED') tell('Not all of this file is kept: it was cancelled.');
    else tell(`${error.message} What is missing is read from the server when it is needed.`);
  }
  await cache.update();
}
