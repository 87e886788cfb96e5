import { useMemo } from 'preact/hooks';
import type { KeyInfo, PlainObject, PlainValue } from '../../api/api';
import { text } from '../../model/plain-members';
import { readableLatex } from '../../plot/drawing/latex';
import { isDrawableClass, isMapClass, isPictureClass } from '../../plot/stored/classes';
import { isDrawing } from '../contents/classes';
import { itemsOf, joined, kindOf, partAt, steps } from '../contents/items';
import { Inspector } from '../panels/inspector';
import { NoPlot } from '../plot/own-plot';
import type { ObjectWay } from '../state/plot-state';
import type { ViewerStore } from '../state/viewer-state';
import { Head } from '../widgets/definition-list';
import { itemsAt } from '../widgets/slot';
import { SOLID_WAY } from './jsroot-place';
import { ListItems } from './list-items';
import { StoredPlot } from './stored-plot';
import { ValueView } from './value-view';
import { shownValue } from './values';

/** The drawing of canvases, and the other ways of features to show an object. */
const [picture] = itemsAt('picture');
const otherWays = itemsAt('object');

export interface StoredObjectProps {
  store: ViewerStore;
  keyInfo: KeyInfo;
  object: PlainObject;
  theme: 'light' | 'dark';
}

/** The object of a key, or the selected part of it. */
export function StoredObject({ store, keyInfo, object: given, theme }: StoredObjectProps): JSX.Element {
  // A key of std::string contains only the text.
  const object = useMemo(() => asObject(given, keyInfo.className), [given, keyInfo]);
  const path = store.plot.part.value;
  const part = useMemo(() => partAt(object, path), [object, path]);
  const names = keyInfo.path.split('/');
  if (part === undefined) {
    return (
      <>
        <Head path={names} title={readableLatex(keyInfo.title)} badge={keyInfo.className} />
        <p class="hint bad" role="alert">
          The link asks for "{path}", which is not in {keyInfo.name}.{' '}
          <button type="button" class="link" onClick={() => store.plot.choosePart('')}>
            Show all of it
          </button>
        </p>
      </>
    );
  }
  // Titles of axes may follow the title of the object.
  const whole = path === '' ? keyInfo.title : text(part.fTitle);
  const title = kindOf(part) === 'plot' || kindOf(part) === 'drawing' ? whole.split(';')[0] : whole;
  return (
    <>
      <Trail store={store} names={names} path={path} />
      <Head
        path={[steps(path).at(-1) ?? names.at(-1) ?? '']}
        title={readableLatex(title ?? '')}
        badge={part._typename}
      />
      <Ways key={path} store={store} object={part} path={path} name={keyInfo.name} theme={theme} />
    </>
  );
}

function asObject(given: PlainValue, className: string): PlainObject {
  return typeof given === 'string' ? { _typename: className, fString: given } : (given as PlainObject);
}

/** The path to the shown object: directories, the key, and the lists. */
function Trail({
  store,
  names,
  path,
}: {
  store: ViewerStore;
  names: string[];
  path: string;
}): JSX.Element | null {
  const parts = steps(path);
  if (names.length + parts.length < 2) return null;
  return (
    <p class="crumbs trail">
      {names.slice(0, parts.length === 0 ? -1 : names.length).map((name, i) => (
        <span key={i}>
          {i === names.length - 1 ? (
            <button type="button" class="link" onClick={() => store.plot.choosePart('')}>
              {name}
            </button>
          ) : (
            name
          )}
          {' / '}
        </span>
      ))}
      {parts.slice(0, -1).map((step, i) => (
        <span key={i}>
          <button
            type="button"
            class="link"
            onClick={() => store.plot.choosePart(parts.slice(0, i + 1).join('/'))}
          >
            {step}
          </button>
          {' / '}
        </span>
      ))}
    </p>
  );
}

interface WaysProps {
  store: ViewerStore;
  object: PlainObject;
  path: string;
  /** Name of the key, used for saved files. */
  name: string;
  theme: 'light' | 'dark';
}

/** Tabs with the ways in which an object can be shown, and the selected one. */
function Ways({ store, object, path, name, theme }: WaysProps): JSX.Element {
  const items = useMemo(() => itemsOf(object), [object]);
  const value = useMemo(() => shownValue(object), [object]);
  const isPicture = picture !== undefined && isPictureClass(object._typename);
  const drawable = isPicture || isDrawableClass(object._typename);
  const asked = {
    store,
    object,
    theme,
    isDrawing: isDrawing(object._typename),
    name: steps(path).at(-1) ?? name,
  };
  // A list is shown by what is in it, and not by drawing all of that over each other.
  const others = items === undefined ? otherWays.filter(({ when }) => when?.(asked) !== false) : [];
  // Matrices are first shown as numbers, and as a map on request.
  const first: ObjectWay =
    items !== undefined
      ? 'items'
      : value !== undefined
        ? 'value'
        : drawable
          ? 'plot'
          : (others.find(({ isFirst }) => isFirst)?.id ??
            (kindOf(object) === 'drawing' ? others[0]?.id : undefined) ??
            'members');
  const ways: ObjectWay[] = [
    ...(drawable ? (['plot'] as const) : []),
    ...(items === undefined ? [] : (['items'] as const)),
    ...(value === undefined ? [] : (['value'] as const)),
    'members',
    ...others.map(({ id }) => id),
  ];
  const way = ways.find((one) => one === store.plot.way.value) ?? first;
  const open = (step: string) => store.plot.choosePart(joined(path, step));
  const tabs = (
    <div class="tabs" role="tablist" aria-label="Show as">
      {ways.map((one) => (
        <button
          type="button"
          role="tab"
          key={one}
          aria-selected={one === way}
          onClick={() => {
            store.plot.way.value = one === first ? undefined : one;
          }}
        >
          {wayLabels[one] ?? others.find(({ id }) => id === one)?.label}
        </button>
      ))}
    </div>
  );
  if (way === 'plot' && isPicture) {
    const choices = others.map(({ id, label = id }) => ({
      label,
      choose: () => {
        store.plot.way.value = id;
      },
    }));
    return <picture.Shown {...{ store, object, tabs }} others={choices} />;
  }
  if (way === 'plot')
    return (
      <>
        <SolidHint store={store} object={object} others={others.map(({ id }) => id)} />
        <StoredPlot store={store} object={object} theme={theme} tabs={tabs} />
      </>
    );
  return (
    <>
      <div class="controls">{tabs}</div>
      <NoPlot store={store} why="only histograms, profiles and graphs lie over each other." />
      {way === 'items' && <ListItems store={store} items={items ?? []} theme={theme} onOpen={open} />}
      {way === 'value' && value !== undefined && <ValueView value={value} />}
      {way === 'members' && <Inspector value={object} onDraw={open} />}
      {others.map(({ id, Shown }) => way === id && <Shown key={id} {...asked} />)}
    </>
  );
}

/** Says that a map is not drawn as its option asks, if that has three dimensions. */
function SolidHint({ store, object, others }: Pick<WaysProps, 'store' | 'object'> & { others: string[] }) {
  const option = typeof object.fOption === 'string' ? object.fOption : '';
  if (!isMapClass(object._typename) || !/lego|surf/i.test(option) || !others.includes(SOLID_WAY)) return null;
  return (
    <p class="hint">
      The file asks for {option.slice(0, 20)}, a view in three dimensions.{' '}
      <button type="button" class="link" onClick={() => (store.plot.way.value = SOLID_WAY)}>
        Draw it with JSROOT
      </button>
    </p>
  );
}

const wayLabels: Readonly<Record<ObjectWay, string>> = {
  plot: 'Plot',
  items: 'Contents',
  value: 'Value',
  members: 'Members',
};
