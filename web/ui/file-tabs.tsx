import type { JSX } from 'preact';
import { tabName } from './state/open-files';
import type { ViewerStore } from './state/viewer-state';
import { Icon } from './widgets/icons';

/** The open files, to select and to close; nothing when there is only one. */
export function FileTabs({ store }: { store: ViewerStore }): JSX.Element | null {
  const { files } = store;
  const list = files.list.value;
  const current = files.current.value;
  if (list.length === 0 || (list.length === 1 && current !== null)) return null;
  return (
    <nav class="file-tabs" aria-label="Open files">
      <ul>
        {list.map((tab) => (
          <li key={tab.id} class={tab.id === current ? 'current' : ''}>
            <button
              type="button"
              class="file-tab"
              aria-current={tab.id === current ? 'true' : undefined}
              title={tab.source.kind === 'url' ? tab.source.url : tabName(tab)}
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
    </nav>
  );
}
