import type { PanelProps } from './any-panel';
import type { BranchPlotProps } from './plot/branch-plot';
import { lazy } from './widgets/lazy';
import { Placeholder } from './widgets/progress';

/** Loaded while a file is being opened: the start page and a viewer that shows only a plot do not need it. */
export const WholePanel = lazy<PanelProps>(() => import('./any-panel').then(({ AnyPanel }) => AnyPanel));

/** Loaded while a file is being opened, because the start page draws nothing. */
export const BranchPlot = lazy<BranchPlotProps>(
  () => import('./plot/branch-plot').then((loaded) => loaded.BranchPlot),
  true,
);

/** The panel of the selected item. With `alone` it is only the plot of a branch, if there is one. */
export function Panel({ alone, ...props }: PanelProps & { alone: boolean }): JSX.Element {
  return (alone && onlyPlot(props)) || <WholePanel {...props} />;
}

/** Returns the plot of a branch, or a placeholder while it is read; undefined if more than a plot has to be shown. */
function onlyPlot({ store, selection, theme }: PanelProps): JSX.Element | undefined {
  const content = store.selection.content.value;
  // The code that draws layers and figures comes with the whole panel.
  if (store.plot.layers.value !== '' || store.plot.look.value.figure !== '') return undefined;
  const coming = content.kind === 'info' || content.kind === 'reading';
  const passing =
    coming && store.session.arriving.value && store.navigation.shownState.value.draw !== undefined;
  const reading = selection.kind === 'branch' && content.kind === 'reading';
  if (passing || reading) {
    return (
      <div class="panel">
        <Placeholder store={store} />
      </div>
    );
  }
  if (selection.kind !== 'branch' || content.kind !== 'draw' || content.result.kind !== 'histogram')
    return undefined;
  const { tree, branch } = selection;
  const { result, stale } = content;
  return (
    <BranchPlot store={store} tree={tree} branch={branch} histogram={result} stale={stale} theme={theme} />
  );
}
