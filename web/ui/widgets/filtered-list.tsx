import { useSignal } from '@preact/signals';
import { formatCount } from '../../base/format';
import { MoreRows } from './table-parts';

interface FilteredListProps<T> {
  items: readonly T[];
  /** Returns the text of an item that is searched. */
  textOf(item: T): string;
  /** Hint in the field about what is searched. */
  hint: string;
  /** Name of the field. */
  label: string;
  /** Number of items that are shown at first. */
  pageSize: number;
  children(shown: readonly T[]): JSX.Element;
}

/** Lists of at least this many items have a search field. */
const MANY = 13;

/** A list with a search field if it is long. It shows more items when the user asks for them. */
export function FilteredList<T>(props: FilteredListProps<T>): JSX.Element {
  const { items, textOf, hint, label, pageSize, children } = props;
  const filter = useSignal('');
  const limit = useSignal(pageSize);
  const wanted = filter.value.trim().toLowerCase();
  const found = items.filter((item) => textOf(item).toLowerCase().includes(wanted));
  return (
    <>
      {items.length >= MANY && (
        <div class="controls">
          <input
            type="search"
            placeholder={hint}
            aria-label={label}
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
              limit.value = pageSize;
            }}
          />
          <span class="summary">
            {formatCount(found.length)} of {formatCount(items.length)}
          </span>
        </div>
      )}
      {children(found.slice(0, limit.value))}
      <MoreRows left={found.length - limit.value} onMore={() => (limit.value *= 2)} />
    </>
  );
}
