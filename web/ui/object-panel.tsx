import type { KeyInfo } from '../api/api';
import { formatBytes, formatCount } from '../base/format';
import { readableLatex } from '../plot/drawing/latex';
import type { StoredObjectProps } from './object/stored-object';
import type { ViewerStore } from './state/viewer-state';
import { Cancelled } from './widgets/cancelled';
import { type Fact, Facts, Head } from './widgets/definition-list';
import { ErrorPane } from './widgets/error-pane';
import { lazy } from './widgets/lazy';
import { Placeholder } from './widgets/progress';

/** Loaded together with the code that draws objects. */
const StoredObject = lazy<StoredObjectProps>(() =>
  import('./object/stored-object').then((loaded) => loaded.StoredObject),
);

interface ObjectPanelProps {
  store: ViewerStore;
  keyInfo: KeyInfo;
  theme: 'light' | 'dark';
}

/** The panel of a stored object, or of the selected part of it: its drawing, and its members. */
export function ObjectPanel({ store, keyInfo, theme }: ObjectPanelProps): JSX.Element {
  const content = store.selection.content.value;
  return (
    <div class="panel">
      {content.kind === 'object' ? (
        <StoredObject
          key={keyInfo.offset}
          store={store}
          keyInfo={keyInfo}
          object={content.object}
          theme={theme}
        />
      ) : (
        <Head path={keyInfo.path.split('/')} title={readableLatex(keyInfo.title)} badge={keyInfo.className} />
      )}
      {content.kind === 'failed' && (
        <ErrorPane error={content.error} onRetry={() => store.session.reload()} />
      )}
      {content.kind === 'cancelled' && <Cancelled onAgain={() => store.session.reload()} />}
      {content.kind === 'reading' && <Placeholder store={store} />}
      <Facts class="wide" facts={keyFacts(keyInfo)} />
    </div>
  );
}

function keyFacts(key: KeyInfo): Fact[] {
  return [
    ['Cycle', String(key.cycle)],
    ['In the file', formatBytes(key.storedBytes)],
    ['Uncompressed', formatBytes(key.objectBytes)],
    ['At byte', formatCount(key.offset)],
  ];
}
