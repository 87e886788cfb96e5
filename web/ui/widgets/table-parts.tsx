import type { ComponentChildren } from 'preact';
import { formatCount } from '../../base/format';

/** The head of a table. `numbers` are the indices of the columns that are aligned as numbers. */
export function TableHead(props: {
  titles: readonly ComponentChildren[];
  numbers?: readonly number[];
}): JSX.Element {
  const { titles, numbers = [] } = props;
  return (
    <thead>
      <tr>
        {titles.map((title, i) => (
          <th scope="col" key={i} class={numbers.includes(i) ? 'number' : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A button that shows more rows of a long list; nothing if there are none. */
export function MoreRows({ left, onMore }: { left: number; onMore: () => void }): JSX.Element | null {
  if (left <= 0) return null;
  return (
    <button type="button" class="link" onClick={onMore}>
      {formatCount(left)} more
    </button>
  );
}
