import type { FileInfo, SourceSpec } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { storedAddress } from '../../../io/signatures';
import { readableUrl } from '../../../ui/state/address/url-state';
import { LOCAL } from '../../../ui/state/plot-state';
import type { ViewerStore } from '../../../ui/state/viewer-state';

/** Other files whose drawings are layers over the shown plot. */
export interface LayerFiles {
  /** Returns a name for a file without an address. Layers use it instead. */
  name(source: SourceSpec): string;
  /** Returns the address of a file, or a name for it if it has none. */
  srcOf(source: SourceSpec): string;
  /** Returns the name of a file for display. */
  titleOf(src: string): string;
  /** Opens the file of an address or name when it is first needed. */
  open(src: string): Promise<FileInfo>;
  /** Closes all files except these. */
  keep(names: readonly string[]): void;
}

const known = new WeakMap<ViewerStore, LayerFiles>();

/** Returns the files of the layers of a viewer. They are closed with it. */
export function layerFiles(store: ViewerStore): LayerFiles {
  let files = known.get(store);
  if (files === undefined) {
    files = createLayerFiles(store);
    known.set(store, files);
    store.onDispose(() => files?.keep([]));
  }
  return files;
}

function createLayerFiles(store: ViewerStore): LayerFiles {
  const sources = new Map<string, SourceSpec>();
  const opened = new Map<string, Promise<FileInfo>>();
  const slotOf = (src: string) => `layer ${src}`;
  let reader: EngineApi | undefined;
  const files: LayerFiles = {
    name(source) {
      const src = `${LOCAL}${sources.size}`;
      sources.set(src, source);
      return src;
    },
    srcOf: (source) => (source.kind === 'url' ? source.url : files.name(source)),
    titleOf(src) {
      const source = sources.get(src);
      return source !== undefined && 'name' in source ? (source.name ?? src) : storedAddress(src);
    },
    open(src) {
      const before = opened.get(src);
      if (before !== undefined) return before;
      const open = store.session.call(
        slotOf(src),
        'Opening the file of a layer',
        async (api, _file, options) => {
          reader = api;
          const url = () => readableUrl(src, document.baseURI);
          const info = await api.open(sources.get(src) ?? { kind: 'url', url: url() }, options);
          if (options.signal?.aborted) await api.close(info.id);
          return info;
        },
      );
      opened.set(src, open);
      open.catch(() => opened.get(src) === open && opened.delete(src));
      return open;
    },
    keep(names) {
      for (const [src, open] of opened) {
        if (names.includes(src)) continue;
        opened.delete(src);
        // The file may still be opening.
        store.activities.cancel(slotOf(src));
        void open.then(({ id }) => reader?.close(id)).catch(() => undefined);
      }
    },
  };
  return files;
}
