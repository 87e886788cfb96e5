import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { drawableHistogram } from '../../../plot/histogram';
import { plainLook } from '../../../plot/look/look';
import { rounded, type Span } from '../../../ui/plot/plot-span';
import { PlotView } from '../../../ui/plot/plot-view';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { type Fact, Facts } from '../../../ui/widgets/definition-list';
import { endsOf } from '../work/operations';
import { type Held, histogramOfHeld } from '../work/ops/held';
import { statistics } from '../work/ops/numbers';
import { gated, inRange, type Range } from '../work/ops/project';
import { measuredText } from '../work/report';
import { plotBands } from './band-state';

interface RangeSectionProps {
  store: ViewerStore;
  held: Held;
  /** Whether the plot shows it, so that the range lies there. */
  isShown: boolean;
  theme: 'light' | 'dark';
  /** Adds a step. */
  onStep(text: string): void;
}

const rangeOf = ([from, to]: Span): Range => ({ from, to });

/** A range that is dragged on the plot: its integral and statistics; of a map the projection within the gate. */
export function RangeSection({ store, held, isShown, theme, onStep }: RangeSectionProps): JSX.Element | null {
  const isMap = held.axes.length === 2;
  const to = useSignal<'x' | 'y'>('x');
  const along = isMap ? (to.value === 'x' ? 1 : 0) : 0;
  const ends = endsOf(held, along);
  const part = (from: number, until: number): Span => [
    rounded(ends[0] + from * (ends[1] - ends[0]), ends),
    rounded(ends[0] + until * (ends[1] - ends[0]), ends),
  ];
  const bands = useSignal<{ of: string; list: (Span | undefined)[] }>({ of: '', list: [] });
  const key = `${along} ${ends}`;
  // Another axis has other values, for which the bands are no longer meant.
  const list = bands.value.of === key ? bands.value.list : [part(0.4, 0.6), undefined];
  const set = (next: (Span | undefined)[]) => {
    bands.value = { of: key, list: next };
  };
  const [gate = part(0.4, 0.6), beside] = list;
  const { result, why } = useMemo(() => {
    try {
      return { result: computed(held, isMap ? to.value : undefined, gate, beside), why: undefined };
    } catch (thrown) {
      return { result: undefined, why: toXylemError(thrown).message };
    }
  }, [held, to.value, isMap, ...gate, beside?.[0], beside?.[1]]);
  const axis = isMap && along === 1 ? 'y' : 'x';
  const step = (ends[1] - ends[0]) / (held.axes[along]?.bins ?? 1);
  const onPlot = plotBands(store);
  useLayoutEffect(() => {
    const onBand = (index: number, span: Span) => set(index === 0 ? [span, beside] : [gate, span]);
    onPlot.value = isShown ? { axis, ends, step, bands: [gate, beside], isGate: isMap, onBand } : undefined;
  }, [isShown, isMap, key, ...gate, beside?.[0], beside?.[1]]);
  useLayoutEffect(
    () => () => {
      onPlot.value = undefined;
    },
    [onPlot],
  );
  const texts = [gate, ...(beside ? [beside] : [])].map(([from, until]) => `${from}:${until}`).join(', ');
  return (
    <section class="calc-range" aria-label={isMap ? 'Gate' : 'Range'}>
      <div class="controls">
        {isMap && (
          <label class="number-field calc-to">
            <span>Project to</span>
            <select
              value={to.value}
              onChange={(event) => {
                to.value = event.currentTarget.value as 'x' | 'y';
              }}
            >
              <option value="x">x</option>
              <option value="y">y</option>
            </select>
          </label>
        )}
        <Ends label="" span={gate} onSpan={(span) => set([span, beside])} />
        {isMap && (
          <label class="check">
            <input
              type="checkbox"
              checked={beside !== undefined}
              onChange={(event) => set([gate, event.currentTarget.checked ? part(0.7, 0.8) : undefined])}
            />
            <span>Background</span>
          </label>
        )}
        {beside && <Ends label=" of the background" span={beside} onSpan={(span) => set([gate, span])} />}
        <button
          type="button"
          onClick={() => onStep(isMap ? `gate(h, ${to.value}, ${texts})` : `range(h, ${texts})`)}
        >
          {isMap ? 'Keep the projection' : 'Keep the range'}
        </button>
      </div>
      {isShown && (
        <p class="hint">
          Drag the ends of the {isMap ? 'gate' : 'range'} on the plot, or its bar; arrow keys move them by a
          bin.
        </p>
      )}
      {result?.model && (
        <div class="calc-beside">
          <PlotView model={result.model} look={plainLook} theme={theme} hint={false} />
        </div>
      )}
      {why !== undefined && (
        <p class="hint bad" role="alert">
          {why}
        </p>
      )}
      {result && <Facts class="stats" facts={result.facts} />}
    </section>
  );
}

/** Two fields with the ends of a range. */
function Ends({
  label,
  span: [low, high],
  onSpan,
}: {
  label: string;
  span: Span;
  onSpan(span: Span): void;
}): JSX.Element {
  const field = (name: string, value: number, put: (value: number) => Span) => (
    <input
      type="text"
      inputMode="decimal"
      aria-label={`${name}${label}`}
      value={value}
      onChange={(event) => {
        const typed = event.currentTarget.value.trim();
        const next = put(typed === '' ? Number.NaN : Number(typed));
        if (next[0] < next[1]) onSpan(next);
        else event.currentTarget.value = String(value);
      }}
    />
  );
  return (
    <span class="calc-ends">
      {field('From', low, (value) => [value, high])} – {field('To', high, (value) => [low, value])}
    </span>
  );
}

function computed(held: Held, to: 'x' | 'y' | undefined, gate: Span, beside: Span | undefined) {
  const made =
    to === undefined
      ? inRange(held, new Map([[0, rangeOf(gate)]]))
      : gated(held, to === 'x' ? 0 : 1, rangeOf(gate), beside && rangeOf(beside));
  const { integral, mean, stdDev, effective } = statistics(made);
  const facts: Fact[] = [
    ...(integral ? [['Integral', measuredText(integral)] as Fact] : []),
    ['Mean', mean[0] ? measuredText(mean[0]) : '–'],
    ['Std Dev', stdDev[0] ? measuredText(stdDev[0]) : '–'],
    ['Effective entries', String(Number(effective.toPrecision(6)))],
  ];
  return { facts, model: to === undefined ? undefined : drawableHistogram(histogramOfHeld(made)) };
}
