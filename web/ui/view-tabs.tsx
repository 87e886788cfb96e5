import { useEffect, useRef } from 'preact/hooks';
import type { KeyInfo, TreeInfo } from '../api/api';
import { isPlotKey } from '../plot/stored/classes';
import type { OpenFile, ViewerStore } from './state/viewer-state';
import type { NamedView } from './state/views';

/** Properties of a view of a file or of one of its trees. */
export interface ViewProps {
  store: ViewerStore;
  open: OpenFile;
  /** The tree of the panel, with its branches; undefined in the panel of the file. */
  tree: { key: KeyInfo; keyIndex: number; info: TreeInfo } | undefined;
  theme: 'light' | 'dark';
}

/** A way to look at a file or a tree: one tab of their panels. */
export interface PageView extends NamedView {
  /** In the address: `?view=…`. Its own state there is the text `store.selection.viewParams`. */
  id: string;
  component: (props: ViewProps) => JSX.Element | null;
}

const withPlots = new WeakMap<OpenFile, boolean>();

function hasPlots(open: OpenFile): boolean {
  const has = withPlots.get(open) ?? open.keyTree.keys.some(isPlotKey);
  withPlots.set(open, has);
  return has;
}

export function viewsAt(views: readonly PageView[], place: 'file' | 'tree', store: ViewerStore): PageView[] {
  const open = store.session.file.value;
  return views.filter(
    ({ on, chain, selectors, plots }) =>
      on.includes(place) &&
      (!chain || open?.chain !== undefined) &&
      (!selectors || store.selectors !== undefined) &&
      (!plots || place === 'tree' || (open !== null && hasPlots(open))),
  );
}

/** Returns the view to show: the selected one if it is available, otherwise the first available one. */
export function chosenView(
  views: readonly PageView[],
  place: 'file' | 'tree',
  id: string,
  store: ViewerStore,
): PageView | undefined {
  const here = viewsAt(views, place, store);
  return here.find((view) => view.id === id) ?? here[0];
}

/** Time in ms after which code and data for the tabs are prepared. The current request comes first. */
const WARM_AFTER = 500;

interface TabsProps {
  store: ViewerStore;
  views: readonly PageView[];
  place: 'file' | 'tree';
}

export function ViewTabs({ store, views, place }: TabsProps): JSX.Element {
  const chosen = chosenView(views, place, store.selection.view.value, store);
  useEffect(() => {
    const timer = setTimeout(() => store.insight.warm(), WARM_AFTER);
    return () => clearTimeout(timer);
  }, [store]);
  const here = viewsAt(views, place, store);
  // In a narrow pane the tabs are in one line that scrolls.
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (tabs.current && tab)
      tabs.current.scrollLeft = tab.offsetLeft - (tabs.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return (
    <div class="tabs grouped" ref={tabs} role="tablist" aria-label={`Show of the ${place}`}>
      {([undefined, 'inspect'] as const).map((group) => (
        <div class={`tab-group ${group ?? ''}`} role="presentation" key={group ?? ''}>
          {here
            .filter((view) => view.group === group)
            .map((view) => (
              <button
                type="button"
                role="tab"
                key={view.id}
                aria-selected={view === chosen}
                onClick={() => store.selection.setView(view.id)}
              >
                {view.label}
              </button>
            ))}
        </div>
      ))}
    </div>
  );
}
