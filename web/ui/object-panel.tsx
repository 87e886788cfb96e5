import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatBytes, formatCount } from '../base/format';
import type { KeyInfo, PlainObject } from '../file/api';
import { readableLatex } from '../plot/latex';
import { type AnyPlot, rebinned } from '../plot/model';
import { modelOfObject } from '../plot/stored';
import { BinsTable } from './bins-table';
import { Cancelled } from './branch-panel';
import { ErrorPane } from './error-pane';
import { type Fact, Facts, Head } from './facts';
import { Inspector } from './inspector';
import { isDrawing, JsrootView } from './jsroot/jsroot-view';
import { LookToggles, RebinChoice, SavePlot } from './plot-controls';
import type { ObjectWay } from './plot-state';
import { PlotView } from './plot-view';
import { Placeholder } from './status-line';
import type { ViewerStore } from './viewer-state';

interface ObjectPanelProps {
  store: ViewerStore;
  keyInfo: KeyInfo;
  theme: 'light' | 'dark';
}

/** A stored object: drawn when it is a histogram, and its members to look into. */
export function ObjectPanel({ store, keyInfo, theme }: ObjectPanelProps): JSX.Element {
  const content = store.content.value;
  return (
    <div class="panel">
      <Head path={keyInfo.path.split('/')} title={readableLatex(keyInfo.title)} badge={keyInfo.className} />
      {content.kind === 'object' && (
        <Shown key={keyInfo.offset} store={store} object={content.object} theme={theme} />
      )}
      {content.kind === 'failed' && <ErrorPane error={content.error} onRetry={() => store.reload()} />}
      {content.kind === 'cancelled' && <Cancelled onAgain={() => store.reload()} />}
      {content.kind === 'reading' && <Placeholder store={store} />}
      <Facts class="wide" facts={keyFacts(keyInfo)} />
    </div>
  );
}

export function keyFacts(key: KeyInfo): Fact[] {
  return [
    ['Cycle', String(key.cycle)],
    ['In the file', formatBytes(key.storedBytes)],
    ['Uncompressed', formatBytes(key.objectBytes)],
    ['At byte', formatCount(key.offset)],
  ];
}

interface ShownProps {
  store: ViewerStore;
  object: PlainObject;
  theme: 'light' | 'dark';
}

function Shown({ store, object, theme }: ShownProps): JSX.Element {
  const stored = useMemo(() => modelOfObject(object), [object]);
  const look = store.look.value;
  const model = useMemo(() => stored && drawnForm(stored, look.rebin), [stored, look.rebin]);
  const drawn = model !== undefined && stored !== undefined;
  const frame = store.jsroot;
  const first: ObjectWay = drawn
    ? 'plot'
    : frame !== undefined && isDrawing(object._typename)
      ? 'jsroot'
      : 'members';
  const ways: ObjectWay[] = [
    ...(drawn ? (['plot'] as const) : []),
    'members',
    ...(frame === undefined ? [] : (['jsroot'] as const)),
  ];
  const way = ways.find((one) => one === store.way.value) ?? first;
  const setWay = (next: ObjectWay) => {
    store.way.value = next === first ? undefined : next;
  };
  const rebins = stored?.kind === 'bins' && stored.mark === 'steps' && stored.xLabels === undefined;
  return (
    <>
      <div class="controls">
        <div class="tabs" role="tablist" aria-label="Show as">
          {ways.map((one) => (
            <WayTab key={one} way={one} label={wayLabels[one]} chosen={way} onChoose={setWay} />
          ))}
        </div>
        {drawn && way === 'plot' && (
          <>
            {rebins && <RebinChoice store={store} bins={stored.values.length} />}
            <LookToggles store={store} model={model} />
          </>
        )}
      </div>
      {way === 'members' && <Inspector value={object} />}
      {way === 'jsroot' && frame !== undefined && <JsrootView object={object} frame={frame} theme={theme} />}
      {way === 'plot' && drawn && (
        <>
          <PlotView model={model} look={look} theme={theme}>
            <SavePlot model={model} look={look} />
          </PlotView>
          <Facts class="stats" facts={model.stats.map((line): Fact => [line.label, line.value])} />
          {model.kind === 'bins' && <BinsTable model={model} />}
        </>
      )}
    </>
  );
}

const wayLabels: Record<ObjectWay, string> = {
  plot: 'Plot',
  members: 'Members',
  jsroot: 'Draw with JSROOT',
};

interface WayTabProps {
  way: ObjectWay;
  label: string;
  chosen: ObjectWay;
  onChoose(way: ObjectWay): void;
}

function WayTab({ way, label, chosen, onChoose }: WayTabProps): JSX.Element {
  return (
    <button type="button" role="tab" aria-selected={way === chosen} onClick={() => onChoose(way)}>
      {label}
    </button>
  );
}

/**
 * A stored plot as it is shown, with its bins taken together. Labelled bins stand for things of their
 * own and are never taken together.
 */
export function drawnForm(stored: AnyPlot, rebin: number): AnyPlot {
  return stored.kind === 'bins' && stored.xLabels === undefined ? rebinned(stored, rebin) : stored;
}
