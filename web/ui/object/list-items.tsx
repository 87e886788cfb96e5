import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatCount } from '../../base/format';
import { paintPlot } from '../../plot/chart/page-plot';
import { readableLatex } from '../../plot/drawing/latex';
import { modelOfObject } from '../../plot/stored/stored';
import { type Item, itemsOf } from '../jsroot/items';
import type { ViewerStore } from '../state/viewer-state';
import { Icon, type IconName } from '../widgets/icons';
import { MoreRows } from '../widgets/table-parts';
import { useSamples } from './samples';

interface ListItemsProps {
  store: ViewerStore;
  items: readonly Item[];
  theme: 'light' | 'dark';
  onOpen(step: string): void;
}

/** Items shown at once of a long list. */
const PAGE_SIZE = 60;
/** Lists of at least this many items have a search field. */
const MANY = 13;

/** The objects of a list, by name: plots are drawn small, each item opens. */
export function ListItems({ store, items, theme, onOpen }: ListItemsProps): JSX.Element {
  const limit = useSignal(PAGE_SIZE);
  const filter = useSignal('');
  const wanted = filter.value.trim().toLowerCase();
  const found = items.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(wanted));
  if (items.length === 0) return <p class="hint">This list is empty.</p>;
  return (
    <>
      {items.length >= MANY && (
        <div class="controls">
          <input
            type="search"
            placeholder="Filter by name or title"
            aria-label="Filter what the list holds"
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
              limit.value = PAGE_SIZE;
            }}
          />
          <span class="summary">
            {formatCount(found.length)} of {formatCount(items.length)}
          </span>
        </div>
      )}
      <ul class="cards">
        {found.slice(0, limit.value).map((item) => (
          <li key={item.step}>
            <Card store={store} item={item} theme={theme} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <MoreRows left={found.length - limit.value} onMore={() => (limit.value *= 2)} />
    </>
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

/** A plot without words around it, drawn when it scrolls into view. */
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
  const model = useMemo(() => samples && modelOfObject(item.object, samples), [item.object, samples]);
  useEffect(() => {
    if (host.current === null || model === undefined) return;
    const bare = { ...model, xTitle: '', yTitle: '', ...(model.kind === 'map' && { zTitle: '' }) };
    const plot = paintPlot(host.current, bare, { log: { x: false, y: false }, dark: theme === 'dark' });
    return () => plot.destroy();
  }, [model, theme]);
  return <span class="card-canvas" ref={host} title={readableLatex(item.title)} />;
}
