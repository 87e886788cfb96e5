import { useEffect } from 'preact/hooks';
import { isTree } from '../model/keys';
import { ObjectPanel } from './object-panel';
import { FilePanel, TreePanel } from './panels';
import { BranchPanel } from './panels/branch-panel';
import { DirectoryPanel } from './panels/info-panels';
import { BelowPlot, NoPlot } from './plot/own-plot';
import type { OpenFile, Selection, ViewerStore } from './state/viewer-state';

export interface PanelProps {
  store: ViewerStore;
  open: OpenFile;
  selection: Selection;
  theme: 'light' | 'dark';
}

/** The panel of the selected item. An item with only information has no drawing and no layers. */
export function AnyPanel(props: PanelProps): JSX.Element {
  const { store } = props;
  useEffect(() => BelowPlot.warm(), []);
  const isPlot = !['info', 'entries', 'classes'].includes(store.selection.content.value.kind);
  return (
    <>
      {!isPlot && <NoPlot store={store} why="choose a branch, an expression or a histogram." />}
      <PanelOf {...props} />
    </>
  );
}

function PanelOf({ store, open, selection, theme }: PanelProps): JSX.Element {
  if (selection.kind === 'file') return <FilePanel store={store} open={open} theme={theme} />;
  if (selection.kind === 'branch') return <BranchPanel store={store} selection={selection} theme={theme} />;
  const { key, keyIndex } = selection;
  if (key.kind === 'directory') return <DirectoryPanel {...{ store, open, keyIndex, theme }} />;
  if (isTree(key)) return <TreePanel store={store} open={open} keyIndex={keyIndex} theme={theme} />;
  return <ObjectPanel store={store} keyInfo={key} theme={theme} />;
}
