import { storedAddress } from '../../../io/signatures';
import type { Places } from '../../../ui/part';
import { sourceName } from '../../../ui/state/viewer-state';
import { FilteredList } from '../../../ui/widgets/filtered-list';

/** Number of files that are shown at first. */
const PAGE_SIZE = 50;

/** The files of a list. Each can be opened individually. */
export function ListedFiles({ store, open: { chain, info } }: Places['overview']): JSX.Element {
  const files = (chain ?? []).map(({ source }) => ({
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
                {name === info.name && <small> its contents are shown</small>}
              </li>
            ))}
          </ol>
        )}
      </FilteredList>
      <h3>The first of them that opens</h3>
    </>
  );
}
