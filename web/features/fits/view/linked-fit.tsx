import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { edgesOf } from '../../../bins/bin-axes';
import { givenHistogram } from '../../../bins/given-histogram';
import { short } from '../../../plot/drawing/drawing';
import { statNumber } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import type { DrawnFit } from '../work/plot';
import { valueText } from '../work/report';

const FUNCTIONS = [
  'gaus',
  'gaus(0)+pol1(3)',
  'voigt',
  'breitwigner',
  'landau',
  'expo',
  'pol0',
  'pol1',
  'pol2',
];

/** Name of the measure of a fit of linked plots in the timeline of the browser, from the counts to the function. */
const MEASURE = 'linked fit';

/** The fit of one of several linked plots: it follows the selection, as a line on the plot and parameters below it. */
export function LinkedFit(props: Places['linked']): JSX.Element {
  const { store, title, axis, counts, range, frame, fit, onFit } = props;
  const chosen = useSignal(fit);
  const made = useSignal<{ drawn?: DrawnFit; error?: string }>({});
  const state = useRef({ isBusy: false, isStale: false, isHere: true }).current;
  const ask = async (): Promise<void> => {
    state.isStale = true;
    if (state.isBusy) return;
    state.isBusy = true;
    // While one fit is under way, only the last of further selections counts.
    while (state.isStale && state.isHere) {
      state.isStale = false;
      const [name, now] = [chosen.peek(), counts.peek()];
      if (name === '' || now === undefined) break;
      const start = performance.now();
      try {
        const fitted = givenHistogram({ counts: now, edges: edgesOf(axis) });
        made.value = { drawn: await store.insight.fit(fitted, name, optionsOf(range.peek(), axis)) };
      } catch (thrown) {
        made.value = { error: toXylemError(thrown).message };
      }
      performance.measure(MEASURE, { start });
      performance.clearMeasures(MEASURE);
    }
    state.isBusy = false;
  };
  useEffect(() => {
    state.isHere = true;
    const stops = [counts, range].map((one) => one.subscribe(() => void ask()));
    return () => {
      state.isHere = false;
      for (const stop of stops) stop();
    };
  }, [counts, range, axis]);
  // Also that of a link, or after going back.
  useEffect(() => {
    if (chosen.peek() === fit) return;
    chosen.value = fit;
    made.value = {};
    void ask();
  }, [fit]);
  const { drawn, error } = made.value;
  const isOn = chosen.value !== '';
  return (
    <>
      {isOn && drawn && frame.value && (
        <svg class="linked-line" aria-hidden="true">
          <path d={lineOf(drawn, frame.value)} />
        </svg>
      )}
      <div class="linked-fit">
        <select
          aria-label={`Fit of ${title}`}
          value={chosen.value}
          onChange={(event) => onFit(event.currentTarget.value)}
        >
          <option value="">No fit</option>
          {(fit === '' || FUNCTIONS.includes(fit) ? FUNCTIONS : [...FUNCTIONS, fit]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {isOn && drawn && <span>{textOf(drawn)}</span>}
        {isOn && error !== undefined && <span class="bad">{error}</span>}
      </div>
    </>
  );
}

/** The range of a fit: what is selected on the plot itself, as far as there are bins. */
function optionsOf(range: readonly [number, number] | undefined, { low, high }: Places['linked']['axis']) {
  return range ? { range: [Math.max(low, range[0]), Math.min(high, range[1])] as const } : {};
}

function textOf({ result: { parameters, chi2, ndf, valid } }: DrawnFit): string {
  if (!valid) return 'no minimum found';
  const values = parameters.map((one) => `${one.name} ${valueText(one)}`);
  return [
    ...values,
    ...(ndf > 0 ? [`χ² / ndf ${statNumber(Number(chi2.toPrecision(4)))} / ${ndf}`] : []),
  ].join(', ');
}

/** The function in the axes of a plot. Parts above or below them are left out. */
function lineOf(
  { x, y, result: { valid } }: DrawnFit,
  { box, x: along, y: up }: NonNullable<Places['linked']['frame']['value']>,
): string {
  if (!valid) return '';
  let d = '';
  let isInside = false;
  x.forEach((at, i) => {
    const pixel = up.toPixel(y[i] ?? Number.NaN);
    const isNow = pixel >= box.top && pixel <= box.bottom;
    if (isNow) d += `${isInside ? 'L' : 'M'}${short(along.toPixel(at))} ${short(pixel)}`;
    isInside = isNow;
  });
  return d;
}
