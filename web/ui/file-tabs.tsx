import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../base/format';
import { storedAddress } from '../io/signatures';
import { tabName, waitingAddresses } from './state/open-files';
import type { ViewerStore } from './state/viewer-state';
import { Icon } from './widgets/icons';

/** Minimum number of files for a list of all files. */
const MANY = 4;

/** Tabs to select and close open files; nothing if there is only one. */
export function FileTabs({ store }: { store: ViewerStore }): JSX.Element | null {
  const { files } = store;
  const list = files.list.value;
  const current = files.current.value;
  const shown = useRef<HTMLLIElement>(null);
  const { left } = waitingAddresses(files);
  useEffect(
    () => shown.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [current, list.length],
  );
  if (list.length === 0 || (list.length === 1 && current !== null)) return null;
  return (
    <nav class="file-tabs" aria-label="Open files">
      <ul>
        {list.map((tab) => (
          <li
            key={tab.id}
            class={tab.id === current ? 'current' : ''}
            {...(tab.id === current && { ref: shown })}
          >
            <button
              type="button"
              class="file-tab"
              aria-current={tab.id === current ? 'true' : undefined}
              title={tab.source.kind === 'url' ? storedAddress(tab.source.url) : tabName(tab)}
              onClick={() => files.show(tab.id)}
            >
              <Icon name="file" /> <span class="label">{tabName(tab)}</span>
            </button>
            <button
              type="button"
              class="file-close"
              aria-label={`Close ${tabName(tab)}`}
              onClick={() => files.close(tab.id)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <span
          class="hint"
          title="A link holds about 8,000 characters of addresses. A text file with an address on each line opens any number."
        >
          The link is too short for {formatCount(left)} of them
        </span>
      )}
      {list.length >= MANY && (
        <select
          aria-label="All open files"
          value={current ?? ''}
          onChange={(event) => files.show(Number(event.currentTarget.value))}
        >
          {current === null && <option value="">{formatCount(list.length)} files</option>}
          {list.map((tab, i) => (
            <option key={tab.id} value={tab.id}>
              {i + 1} of {list.length}: {tabName(tab)}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}
