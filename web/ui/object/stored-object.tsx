import { useEffect, useMemo } from 'preact/hooks';
import type { KeyInfo, PlainObject, PlainValue } from '../../api/api';
import { JsrootView } from '../../features/jsroot/view/jsroot-view';
import { NoLayers } from '../../features/layers/view/layers-panel';
import type { PadPictureProps } from '../../features/pads/view/pad-picture';
import { text } from '../../model/plain-members';
import { readableLatex } from '../../plot/drawing/latex';
import { isDrawableClass, isPictureClass } from '../../plot/stored/classes';
import { isDrawnByJsroot } from '../contents/classes';
import { itemsOf, joined, kindOf, partAt, steps } from '../contents/items';
import { Inspector } from '../panels/inspector';
import type { ObjectWay } from '../state/plot-state';
import type { ViewerStore } from '../state/viewer-state';
import { Head } from '../widgets/definition-list';
import { lazy } from '../widgets/lazy';
import { frameAt, type JsrootFrame, type JsrootScript } from './jsroot-place';
import { ListItems } from './list-items';
import { useSamples } from './samples';
import { StoredPlot } from './stored-plot';
import { ValueView } from './value-view';
import { shownValue } from './values';

/** Loaded when a canvas is first shown. */
const PadPicture = lazy<PadPictureProps>(() =>
  import('../../features/pads/view/pad-picture').then((loaded) => loaded.PadPicture),
);

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
  const frame = store.jsroot === undefined ? undefined : frameAt(store.jsroot);
  const items = useMemo(() => itemsOf(object), [object]);
  const value = useMemo(() => shownValue(object), [object]);
  const isPicture = isPictureClass(object._typename);
  const drawable = isPicture || isDrawableClass(object._typename);
  const drawing = kindOf(object) === 'drawing';
  // Matrices are first shown as numbers, and as a map on request.
  const first: ObjectWay =
    items !== undefined
      ? 'items'
      : value !== undefined
        ? 'value'
        : drawable
          ? 'plot'
          : drawing && frame !== undefined
            ? 'jsroot'
            : 'members';
  const ways: ObjectWay[] = [
    ...(drawable ? (['plot'] as const) : []),
    ...(items === undefined ? [] : (['items'] as const)),
    ...(value === undefined ? [] : (['value'] as const)),
    'members',
    // JSROOT would draw all objects of a list over each other.
    ...(frame !== undefined && items === undefined && isDrawnByJsroot(object._typename)
      ? (['jsroot'] as const)
      : []),
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
          {wayLabels[one]}
        </button>
      ))}
    </div>
  );
  const byJsroot = () => {
    store.plot.way.value = 'jsroot';
  };
  if (way === 'plot' && isPicture)
    return (
      <PadPicture {...{ store, object, tabs }} onJsroot={ways.includes('jsroot') ? byJsroot : undefined} />
    );
  if (way === 'plot') return <StoredPlot store={store} object={object} theme={theme} tabs={tabs} />;
  return (
    <>
      <div class="controls">{tabs}</div>
      <NoLayers store={store} why="only histograms, profiles and graphs lie over each other." />
      {way === 'items' && <ListItems store={store} items={items ?? []} theme={theme} onOpen={open} />}
      {way === 'value' && value !== undefined && <ValueView value={value} />}
      {way === 'members' && <Inspector value={object} onDraw={open} />}
      {way === 'jsroot' && frame !== undefined && (
        <DrawnByJsroot store={store} object={object} name={steps(path).at(-1) ?? name} frame={frame} />
      )}
    </>
  );
}

const wayLabels: Record<ObjectWay, string> = {
  plot: 'Plot',
  items: 'Contents',
  value: 'Value',
  members: 'Members',
  jsroot: 'Draw with JSROOT',
};

interface DrawnProps {
  store: ViewerStore;
  object: PlainObject;
  name: string;
  frame: JsrootFrame | JsrootScript;
}

/** The object is sent to JSROOT after the values of its functions were computed. */
function DrawnByJsroot({ store, object, name, frame }: DrawnProps): JSX.Element {
  const samples = useSamples(store, object);
  useEffect(
    () => () => {
      store.plot.shown.value = null;
    },
    [store, object],
  );
  if (samples === undefined) return <div class="placeholder" aria-busy="true" />;
  // A script may ask for the picture at once. A page has buttons that fetch it.
  const keep = (svg: string) => {
    store.plot.shown.value = { of: object, model: undefined, svg };
  };
  return (
    <JsrootView {...{ object, samples, name, frame }} onPicture={store.keepsPictures ? keep : undefined} />
  );
}
