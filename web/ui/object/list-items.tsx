import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatCount } from '../../base/format';
import { paintPlot } from '../../plot/chart/page-plot';
import { readableLatex } from '../../plot/drawing/latex';
import { drawnObject } from '../../plot/stored/stored';
import { type Item, itemsOf } from '../contents/items';
import type { ViewerStore } from '../state/viewer-state';
import { FilteredList } from '../widgets/filtered-list';
import { Icon, type IconName } from '../widgets/icons';
import { useSamples } from './samples';

interface ListItemsProps {
  store: ViewerStore;
  items: readonly Item[];
  theme: 'light' | 'dark';
  onOpen(step: string): void;
}

/** Number of items of a long list that are shown at once. */
const PAGE_SIZE = 60;
/** The objects of a list, by name. Plots are drawn small; each item can be opened. */
export function ListItems({ store, items, theme, onOpen }: ListItemsProps): JSX.Element {
  if (items.length === 0) return <p class="hint">This list is empty.</p>;
  return (
    <FilteredList
      items={items}
      textOf={({ name, title }) => `${name} ${title}`}
      hint="Filter by name or title"
      label="Filter what the list holds"
      pageSize={PAGE_SIZE}
    >
      {(found) => (
        <ul class="cards">
          {found.map((item) => (
            <li key={item.step}>
              <Card store={store} item={item} theme={theme} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
    </FilteredList>
  );
}

const icons: Record<Item['kind'], IconName> = {
  plot: 'histogram',
  drawing: 'graph',
  list: 'directory',
  other: 'object',
};

interface CardProps {
  store: ViewerStore;
  item: Item;
  theme: 'light' | 'dark';
  onOpen(step: string): void;
}

function Card({ store, item, theme, onOpen }: CardProps): JSX.Element {
  const held = item.kind === 'list' ? itemsOf(item.object)?.length : undefined;
  return (
    <button type="button" class="card" onClick={() => onOpen(item.step)}>
      {item.kind === 'plot' ? (
        <SmallPlot store={store} item={item} theme={theme} />
      ) : (
        <span class="card-icon">
          <Icon name={icons[item.kind]} />
          {held !== undefined && <span>{formatCount(held)} inside</span>}
        </span>
      )}
      <span class="card-name">{item.name}</span>
      <span class="card-class">{item.className}</span>
    </button>
  );
}

/** A plot without axis titles, drawn when it scrolls into view. */
function SmallPlot({ store, item, theme }: Omit<CardProps, 'onOpen'>): JSX.Element {
  const host = useRef<HTMLSpanElement>(null);
  const seen = useSignal(false);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) seen.value = true;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <span class="card-plot" ref={host} aria-hidden="true">
      {seen.value && <Painted store={store} item={item} theme={theme} />}
    </span>
  );
}

function Painted({ store, item, theme }: Omit<CardProps, 'onOpen'>): JSX.Element {
  const host = useRef<HTMLSpanElement>(null);
  const samples = useSamples(store, item.object);
  const model = useMemo(() => samples && drawnObject(item.object, samples, '').model, [item.object, samples]);
  useEffect(() => {
    if (host.current === null || model === undefined) return;
    const bare = { ...model, xTitle: '', yTitle: '', ...(model.kind === 'map' && { zTitle: '' }) };
    const plot = paintPlot(host.current, bare, { log: { x: false, y: false }, dark: theme === 'dark' });
    return () => plot.destroy();
  }, [model, theme]);
  return <span class="card-canvas" ref={host} title={readableLatex(item.title)} />;
}
