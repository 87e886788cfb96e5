import type { ChainPart } from '../../../api/api';
import { storedAddress } from '../../../io/signatures';
import { sourceName, type ViewerStore } from '../../../ui/state/viewer-state';
import { FilteredList } from '../../../ui/widgets/filtered-list';

interface ListedFilesProps {
  store: ViewerStore;
  chain: readonly ChainPart[];
  /** Name of the file whose contents are shown. */
  shown: string;
}

/** Number of files that are shown at first. */
const PAGE_SIZE = 50;

/** The files of a list. Each can be opened individually. */
export function ListedFiles({ store, chain, shown }: ListedFilesProps): JSX.Element {
  const files = chain.map(({ source }) => ({
    source,
    name: source.kind === 'url' ? storedAddress(source.url) : sourceName(source),
  }));
  return (
    <>
      <h3>Files of the list</h3>
      <FilteredList
        items={files}
        textOf={({ name }) => name}
        hint="Filter by address"
        label="Filter the files of the list"
        pageSize={PAGE_SIZE}
      >
        {(found) => (
          <ol class="listed-files">
            {found.map(({ source, name }) => (
              <li key={name}>
                <button type="button" class="link" onClick={() => store.files.beside(source)}>
                  {name}
                </button>
                {name === shown && <small> its contents are shown</small>}
              </li>
            ))}
          </ol>
        )}
      </FilteredList>
    </>
  );
}
