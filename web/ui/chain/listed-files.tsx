import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ChainPart } from '../../api/api';
import { formatCount } from '../../base/format';
import { sourceName, type ViewerStore } from '../state/viewer-state';
import { MoreRows } from '../widgets/table-parts';

interface ListedFilesProps {
  store: ViewerStore;
  chain: readonly ChainPart[];
  /** Name of the file whose contents are shown. */
  shown: string;
}

/** Files that are in the page at first. */
const PAGE_SIZE = 50;
/** Lists of at least this many files have a search field. */
const MANY = 13;

/** The files of a list: each opens by itself. */
export function ListedFiles({ store, chain, shown }: ListedFilesProps): JSX.Element {
  const filter = useSignal('');
  const limit = useSignal(PAGE_SIZE);
  const wanted = filter.value.trim().toLowerCase();
  const all = chain.map(({ source }) => ({
    source,
    name: source.kind === 'url' ? source.url : sourceName(source),
  }));
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <h3>Files of the list</h3>
      {chain.length >= MANY && (
        <div class="controls">
          <input
            type="search"
            placeholder="Filter by address"
            aria-label="Filter the files of the list"
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
              limit.value = PAGE_SIZE;
            }}
          />
          <span class="summary">
            {formatCount(found.length)} of {formatCount(chain.length)}
          </span>
        </div>
      )}
      <ol class="listed-files">
        {found.slice(0, limit.value).map(({ source, name }) => (
          <li key={name}>
            <button type="button" class="link" onClick={() => store.files.beside(source)}>
              {name}
            </button>
            {name === shown && <small> its contents are shown</small>}
          </li>
        ))}
      </ol>
      <MoreRows left={found.length - limit.value} onMore={() => (limit.value *= 4)} />
    </>
  );
}
