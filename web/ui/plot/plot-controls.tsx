import { useState } from 'preact/hooks';
import type { Histogram } from '../../api/api';
import { readableLatex } from '../../plot/drawing/latex';
import { type AnyPlot, type Range, withCountErrors } from '../../plot/model';
import type { PlotWindow } from '../../plot/ranges';
import { savePng, saveText } from '../save/save-blob';
import { SaveButtons } from '../save/save-buttons';
import { MAX_BINS, type PlotLook } from '../state/plot-state';
import type { ViewerStore } from '../state/viewer-state';

interface AxisFieldsProps {
  /** Name of the axis, where there are several: "y". */
  axis?: string;
  /** The drawn axis: its numbers are in the fields until others are requested. */
  shown: Histogram['axes'][number] | undefined;
  asked: { bins?: number | undefined; range?: Range | undefined };
  /** Another histogram was requested, and has not arrived. */
  stale: boolean;
  onChange(change: { bins?: number; range?: Range }): void;
}

/** Bins and ends of an axis. A field takes effect on Enter or when it is left. */
export function AxisFields({ axis, shown, asked, stale, onChange }: AxisFieldsProps): JSX.Element | null {
  // An axis of names has a bin for each.
  if (shown === undefined || shown.labels !== undefined) return null;
  const low = asked.range?.[0] ?? shown.low;
  const high = asked.range?.[1] ?? shown.high;
  const name = (field: string) => (axis === undefined ? field : `${field} ${axis}`);
  return (
    <>
      <NumberField
        label={name('Bins')}
        // Integer values may get fewer bins than were requested: the field shows the drawn ones.
        value={stale ? (asked.bins ?? shown.bins) : shown.bins}
        accepts={(value) => Number.isInteger(value) && value >= 1 && value <= MAX_BINS}
        hint="A whole number from 1 to 100,000"
        onValue={(bins) => onChange({ bins })}
      />
      <NumberField
        label={name('From')}
        value={low}
        accepts={(value) => value < high}
        hint="Must be less than the upper end"
        onValue={(value) => onChange({ range: [value, high] })}
      />
      <NumberField
        label={name('To')}
        value={high}
        accepts={(value) => value > low}
        hint="Must be greater than the lower end"
        onValue={(value) => onChange({ range: [low, value] })}
      />
    </>
  );
}

/**
 * Switches for the look of the plot: logarithmic axes (for a map, colours), and error bars when the plot has
 * none.
 */
export function LookToggles({ store, model }: { store: ViewerStore; model: AnyPlot }): JSX.Element {
  const look = store.plot.look.value;
  const counts =
    model.kind === 'bins' &&
    model.mark === 'steps' &&
    (model.errors === undefined || model.hidesErrors === true);
  const set = (change: Partial<PlotLook>) => {
    store.plot.look.value = { ...look, ...change };
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

/** Number of neighbouring bins of a stored histogram that are drawn as one. */
export function RebinChoice({ store, bins }: { store: ViewerStore; bins: number }): JSX.Element {
  const { rebin } = store.plot.look.value;
  return (
    <label class="number-field">
      <span>Rebin</span>
      <select
        value={rebin}
        onChange={(event) => {
          store.plot.look.value = { ...store.plot.look.value, rebin: Number(event.currentTarget.value) };
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

interface SavePlotProps {
  model: AnyPlot;
  look: PlotLook;
  /** The visible part, when the plot is zoomed. */
  window?: PlotWindow | undefined;
  /** The histograms that are drawn; undefined for stored objects alone. */
  drawn?: { store: ViewerStore; histograms: readonly Histogram[] } | undefined;
}

/** Saves the plot, as it is drawn, as an SVG or PNG file, and a drawn histogram as a ROOT file. */
export function SavePlot({ model, look, window, drawn }: SavePlotProps): JSX.Element {
  const name =
    readableLatex(model.title)
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 80) || 'plot';
  const save = async (form: 'svg' | 'png'): Promise<void> => {
    const { plotSvg } = await import('../../plot/svg');
    const shown = model.kind === 'bins' && look.errors ? withCountErrors(model) : model;
    const svg = plotSvg(shown, { log: look.log, window });
    if (form === 'png') await savePng(`${name}.png`, svg);
    else saveText(`${name}.svg`, svg, 'image/svg+xml');
  };
  const { store, histograms } = drawn ?? {};
  const saveRoot = async (): Promise<void> => {
    if (store?.writer === undefined || histograms === undefined) return;
    const { saveHistogram } = await import('../save/save-histogram');
    await saveHistogram(store.writer, `${name}.root`, histograms, store.sink);
  };
  return <SaveButtons onSave={save} onSaveRoot={store?.writer && saveRoot} />;
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
        size={Math.min(22, Math.max(7, (draft ?? trimNumber(value)).length + 1))}
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
