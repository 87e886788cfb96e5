import { formatCount } from '../base/format';
import { isTree } from '../model/keys';
import { isMistake, type OpenFile, sourceName, type ViewerStore } from './state/viewer-state';
import { pageViews } from './view-list';
import { chosenView, ViewTabs } from './view-tabs';
import { Cancelled } from './widgets/cancelled';
import { Head } from './widgets/definition-list';
import { ErrorPane } from './widgets/error-pane';
import { Placeholder } from './widgets/progress';

interface FilePanelProps {
  store: ViewerStore;
  open: OpenFile;
  theme: 'light' | 'dark';
}

/** The panel of the file, in the selected view. */
export function FilePanel({ store, open, theme }: FilePanelProps): JSX.Element {
  const content = store.selection.content.value;
  const view = chosenView(pageViews, 'file', store.selection.view.value, store);
  return (
    <div class="panel">
      <Head
        path={[sourceName(open.source)]}
        title={open.chain === undefined ? open.info.title : ''}
        badge={open.chain === undefined ? 'TFile' : `List of ${formatCount(open.chain.length)} files`}
      >
        <ViewTabs store={store} views={pageViews} place="file" />
      </Head>
      {content.kind === 'failed' && (
        <ErrorPane
          error={content.error}
          onRetry={view?.id === 'classes' ? () => store.session.reload() : undefined}
        />
      )}
      {view && <view.component store={store} open={open} tree={undefined} theme={theme} />}
    </div>
  );
}

interface TreePanelProps extends FilePanelProps {
  keyIndex: number;
}

/** The panel of a tree, in the selected view, after its branches have been read. */
export function TreePanel({ store, open, keyIndex, theme }: TreePanelProps): JSX.Element | null {
  const key = open.keyTree.keys[keyIndex];
  if (key === undefined || !isTree(key)) return null;
  const content = store.selection.content.value;
  const state = store.contents.trees.value.get(keyIndex);
  const view = chosenView(pageViews, 'tree', store.selection.view.value, store);
  // A link to a part of the tree continues from here, so the tree itself would only flash up.
  const passing = store.session.arriving.value && store.navigation.shownState.value.draw !== undefined;
  return (
    <div class="panel">
      <Head path={key.path.split('/')} title={key.title} badge={key.className}>
        <ViewTabs store={store} views={pageViews} place="tree" />
      </Head>
      {content.kind === 'failed' && !isMistake(content.error) && (
        <ErrorPane error={content.error} onRetry={() => store.session.reload()} />
      )}
      {content.kind === 'cancelled' && <Cancelled onAgain={() => store.session.reload()} />}
      {state?.state === 'ready' && !passing
        ? view && (
            <view.component
              store={store}
              open={open}
              tree={{ key, keyIndex, info: state.tree }}
              theme={theme}
            />
          )
        : (passing || content.kind === 'reading') && <Placeholder store={store} />}
    </div>
  );
}
