import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toXylemError } from '../base/errors';
import type { Histogram } from '../file/api';
import { type AnyPlot, type PlotModel, withCountErrors } from '../plot/model';
import { plotSvg } from '../plot/svg';
import { Icon } from './icons';
import { mostBins, type PlotLook } from './plot-state';
import { savePng, saveText } from './save';
import type { ViewerStore } from './viewer-state';

interface PlotControlsProps {
  store: ViewerStore;
  model: PlotModel;
  /** The histogram drawn: its range stands in the fields until another is asked for. */
  shown: Histogram;
}

/** Bins, range and scale of a branch's histogram. A field takes effect on Enter or when it is left. */
export function PlotControls({ store, model, shown }: PlotControlsProps): JSX.Element {
  const { bins, range } = store.settings.value;
  const setEdge = (edge: 0 | 1, value: number) => {
    const next: [number, number] = [range?.[0] ?? shown.low, range?.[1] ?? shown.high];
    next[edge] = value;
    if (next[0] < next[1]) store.setSettings({ range: next });
  };
  return (
    <div class="controls">
      <NumberField
        label="Bins"
        value={bins}
        accepts={(value) => Number.isInteger(value) && value >= 1 && value <= mostBins}
        hint="A whole number from 1 to 100,000"
        onValue={(value) => store.setSettings({ bins: value })}
      />
      <NumberField
        label="From"
        value={range?.[0] ?? shown.low}
        accepts={(value) => value < (range?.[1] ?? shown.high)}
        hint="Must be less than the upper end"
        onValue={(value) => setEdge(0, value)}
      />
      <NumberField
        label="To"
        value={range?.[1] ?? shown.high}
        accepts={(value) => value > (range?.[0] ?? shown.low)}
        hint="Must be greater than the lower end"
        onValue={(value) => setEdge(1, value)}
      />
      <button
        type="button"
        disabled={range === undefined}
        onClick={() => store.setSettings({ range: undefined })}
      >
        Full range
      </button>
      <LookToggles store={store} model={model} />
    </div>
  );
}

/** How the plot is drawn: logarithmic axes (of a map, colours), and error bars where there are none. */
export function LookToggles({ store, model }: { store: ViewerStore; model: AnyPlot }): JSX.Element {
  const look = store.look.value;
  const counts = model.kind === 'bins' && model.mark === 'steps' && model.errors === undefined;
  const set = (change: Partial<PlotLook>) => {
    store.look.value = { ...look, ...change };
  };
  return (
    <>
      {model.kind !== 'map' && (
        <Toggle label="Log x" on={look.log.x} onChange={(x) => set({ log: { ...look.log, x } })} />
      )}
      <Toggle
        label={model.kind === 'map' ? 'Log colours' : 'Log y'}
        on={look.log.y}
        onChange={(y) => set({ log: { ...look.log, y } })}
      />
      {counts && <Toggle label="Errors" on={look.errors} onChange={(errors) => set({ errors })} />}
    </>
  );
}

interface ToggleProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
}

function Toggle({ label, on, onChange }: ToggleProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

const factors = [1, 2, 3, 4, 5, 8, 10, 20, 50];

/** How many neighbouring bins of a stored histogram are drawn as one. */
export function RebinChoice({ store, bins }: { store: ViewerStore; bins: number }): JSX.Element {
  const { rebin } = store.look.value;
  return (
    <label class="number-field">
      <span>Rebin</span>
      <select
        value={rebin}
        onChange={(event) => {
          store.look.value = { ...store.look.value, rebin: Number(event.currentTarget.value) };
        }}
      >
        {factors
          .filter((factor) => factor === 1 || factor === rebin || factor <= bins / 2)
          .map((factor) => (
            <option key={factor} value={factor}>
              {factor}
            </option>
          ))}
      </select>
    </label>
  );
}

/** Saves the plot, as it is drawn, as an SVG or PNG file. */
export function SavePlot({ model, look }: { model: AnyPlot; look: PlotLook }): JSX.Element {
  const [wrong, setWrong] = useState('');
  const save = (form: 'svg' | 'png') => {
    const shown = model.kind === 'bins' && look.errors ? withCountErrors(model) : model;
    const name = model.title.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'plot';
    const svg = plotSvg(shown, { log: look.log });
    setWrong('');
    if (form === 'svg') saveText(`${name}.svg`, svg, 'image/svg+xml');
    else savePng(`${name}.png`, svg).catch((thrown: unknown) => setWrong(toXylemError(thrown).message));
  };
  return (
    <span class="save">
      {(['svg', 'png'] as const).map((form) => (
        <button type="button" class="quiet" key={form} onClick={() => save(form)}>
          <Icon name="download" /> {form.toUpperCase()}
        </button>
      ))}
      {wrong !== '' && (
        <span class="hint bad" role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  accepts(value: number): boolean;
  hint: string;
  onValue(value: number): void;
}

function NumberField({ label, value, accepts, hint, onValue }: NumberFieldProps): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const wrong = draft !== null && !valid(draft, accepts);
  const commit = () => {
    if (draft === null || wrong) return;
    setDraft(null);
    if (Number(draft) !== value) onValue(Number(draft));
  };
  return (
    <label class="number-field">
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        size={8}
        value={draft ?? trimNumber(value)}
        aria-invalid={wrong}
        title={wrong ? hint : undefined}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setDraft(null);
        }}
        onBlur={() => {
          if (wrong) setDraft(null);
          else commit();
        }}
      />
    </label>
  );
}

function valid(draft: string, accepts: (value: number) => boolean): boolean {
  const value = Number(draft);
  return draft.trim() !== '' && Number.isFinite(value) && accepts(value);
}

function trimNumber(value: number): string {
  return String(Number(value.toPrecision(9)));
}
