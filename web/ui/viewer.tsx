import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toXylemError } from '../base/errors';
import { BranchPanel } from './branch-panel';
import { Contents } from './contents';
import { isTree } from './contents-model';
import { useFileDrop } from './drop';
import { ErrorPane } from './error-pane';
import { DirectoryPanel } from './info-panels';
import { ObjectPanel } from './object-panel';
import { readableUrl } from './page-state';
import { FilePanel, TreePanel } from './panels';
import { Splitter } from './splitter';
import { StartPane } from './start-pane';
import { ProgressBar, StatusLine } from './status-line';
import { TopBar } from './top-bar';
import { sourceName, type ViewerStore } from './viewer-state';

export interface ViewerProps {
  store: ViewerStore;
  /** `app` has the page to itself; `embedded` keeps to its element and shows less around the file. */
  chrome: 'app' | 'embedded';
  /** Offered on the empty page. */
  sampleUrl?: string | undefined;
}

/** The whole viewer within one root element; it looks at nothing outside of it. */
export function Viewer({ store, chrome, sampleUrl }: ViewerProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const urlField = useRef<HTMLInputElement>(null);
  const theme = useTheme(store);
  const share = useSignal(40);

  const openUrl = (typed: string) => {
    try {
      void store.open({ kind: 'url', url: readableUrl(typed, document.baseURI) });
    } catch (thrown) {
      store.fail(toXylemError(thrown).toRecord());
    }
  };
  const openFile = (file: File) => void store.open({ kind: 'blob', blob: file, name: file.name });
  const dragging = useFileDrop(root, chrome === 'app', openFile);

  const file = store.file.value;
  const opening = store.opening.value;
  const error = store.openError.value;
  // A page has one main part; within somebody else's page it is theirs.
  const Main = chrome === 'app' ? 'main' : 'div';
  const bar = chrome === 'app' || (file === null && opening === null && error === null);
  return (
    <div class={`xylem ${chrome}`} data-theme={theme} ref={root}>
      {bar && <TopBar store={store} urlField={urlField} onUrl={openUrl} onFile={openFile} />}
      {error !== null ? (
        <Main class="whole">
          <ErrorPane error={error} onRetry={opening === null ? undefined : () => store.retryOpen()}>
            <button type="button" onClick={() => store.closeFile()}>
              Open something else
            </button>
          </ErrorPane>
        </Main>
      ) : file !== null ? (
        <div class="panes" style={{ '--share': `${share.value}%` }}>
          <Contents store={store}>
            <Splitter share={share} />
          </Contents>
          <Main class="detail">
            <Detail store={store} theme={theme} />
          </Main>
        </div>
      ) : opening !== null ? (
        <Main class="whole">
          <div class="opening">
            <p>Opening {sourceName(opening)}</p>
            <ProgressBar store={store} />
          </div>
        </Main>
      ) : (
        <Main class="whole">
          <StartPane
            place={chrome === 'app' ? 'anywhere on this page' : 'here'}
            sampleUrl={sampleUrl}
            onSample={() => sampleUrl !== undefined && openUrl(sampleUrl)}
            onFile={openFile}
            onPaste={bar ? () => urlField.current?.focus() : undefined}
          />
        </Main>
      )}
      {file !== null && <StatusLine store={store} />}
      {dragging && (
        <div class="drop">
          <p>Drop the file to open it</p>
        </div>
      )}
    </div>
  );
}

function Detail({ store, theme }: { store: ViewerStore; theme: 'light' | 'dark' }): JSX.Element | null {
  const open = store.file.value;
  const selection = store.selection.value;
  if (open === null || selection === null) return null;
  if (selection.kind === 'file') return <FilePanel store={store} open={open} theme={theme} />;
  if (selection.kind === 'branch') return <BranchPanel store={store} selection={selection} theme={theme} />;
  const { key, keyIndex } = selection;
  if (key.kind === 'directory') return <DirectoryPanel open={open} keyIndex={keyIndex} />;
  if (isTree(key)) return <TreePanel store={store} open={open} keyIndex={keyIndex} theme={theme} />;
  return <ObjectPanel store={store} keyInfo={key} theme={theme} />;
}

/** The colours to use now: the user's choice, or the system's. */
function useTheme(store: ViewerStore): 'light' | 'dark' {
  const [systemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const chosen = store.theme.value;
  return chosen === 'system' ? (systemDark ? 'dark' : 'light') : chosen;
}
