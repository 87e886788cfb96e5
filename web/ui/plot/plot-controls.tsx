import { useState } from 'preact/hooks';
import type { Histogram } from '../../api/api';
import { BIN_FILE } from '../../bins/formats';
import { readableLatex } from '../../plot/drawing/latex';
import { lookLists, lookSwitches } from '../../plot/look/controls';
import type { PlotLook } from '../../plot/look/look';
import { plainLook } from '../../plot/look/look';
import type { AnyPlot, Range } from '../../plot/model';
import type { PlotWindow } from '../../plot/ranges';
import { savePng, saveText } from '../save/save-blob';
import { SaveButtons } from '../save/save-buttons';
import { MAX_BINS } from '../state/plot-state';
import type { ViewerStore } from '../state/viewer-state';
import { Check, Select } from '../widgets/segmented-control';

interface AxisFieldsProps {
  /** Name of the axis, if there are several: "y". */
  axis?: string;
  /** The drawn axis. The fields show its numbers until others are requested. */
  shown: Histogram['axes'][number] | undefined;
  asked: { bins?: number | undefined; range?: Range | undefined };
  /** Whether another histogram was requested and has not arrived. */
  stale: boolean;
  onChange(change: { bins?: number; range?: Range }): void;
}

/** Fields for bins and ends of an axis. A field takes effect on Enter or when it loses the focus. */
export function AxisFields({ axis, shown, asked, stale, onChange }: AxisFieldsProps): JSX.Element | null {
  // An axis with labels has one bin for each.
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

interface LookProps {
  store: ViewerStore;
  /** The plot whose look is chosen. */
  model: AnyPlot;
}

/** The switches and lists for this plot, for example for logarithmic axes. Those that few plots need are below *More*. */
export function LookToggles(props: LookProps): JSX.Element {
  const { store, model } = props;
  const rare = [
    ...lookSwitches.filter(([, one]) => one.rare && one.has(model)),
    ...lookLists(undefined).filter(([, one]) => one.rare && one.values(model, '').length > 0),
  ];
  const look = store.plot.look.value;
  const isChosen = rare.some(([name]) => look[name] !== plainLook[name]);
  return (
    <>
      <LookSwitches {...props} rare={false} />
      <LookChoices {...props} />
      {rare.length > 0 && (
        <details class="more-looks" open={isChosen}>
          <summary>More</summary>
          <div class="controls">
            <LookSwitches {...props} rare={true} />
            <LookChoices {...props} rare={true} />
          </div>
        </details>
      )}
    </>
  );
}

function LookSwitches({ store, model, rare }: LookProps & { rare: boolean }): JSX.Element {
  const look = store.plot.look.value;
  return (
    <>
      {lookSwitches
        .filter(([, one]) => (one.rare ?? false) === rare && one.has(model))
        .map(([name, { id, label, isOn, turned }]) => (
          <Check
            key={id}
            label={label(model)}
            on={isOn(look[name])}
            onChange={(on) => {
              store.plot.look.value = { ...look, [name]: turned(look[name], on) };
            }}
          />
        ))}
    </>
  );
}

/** The lists of values: for plots of stored objects, or for plots with layers. Default: for all plots. */
export function LookChoices({
  store,
  model,
  of,
  rare = false,
}: LookProps & { of?: 'stored' | 'layers'; rare?: boolean }): JSX.Element {
  const look = store.plot.look.value;
  return (
    <>
      {lookLists(of).map(([name, { label, values, name: nameOf, rare: isRare = false }]) => {
        const now = look[name] as string | number;
        const all = isRare === rare ? values(model, now) : [];
        if (all.length === 0) return null;
        return (
          <Select
            key={name}
            label={label(model)}
            options={all.map((value) => [value, nameOf(value)])}
            value={now}
            onChange={(value) => {
              store.plot.look.value = { ...look, [name]: value };
            }}
          />
        );
      })}
    </>
  );
}

interface SavePlotProps {
  model: AnyPlot;
  look: PlotLook;
  /** The visible part, when the plot is zoomed. */
  window?: PlotWindow | undefined;
  /** The histograms that are drawn; undefined for a stored object without layers. */
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
    const svg = plotSvg(model, { ...look, window });
    if (form === 'png') await savePng(`${name}.png`, svg);
    else saveText(`${name}.svg`, svg, 'image/svg+xml');
  };
  const { store, histograms } = drawn ?? {};
  const saveRoot = async (): Promise<void> => {
    if (store?.writer === undefined || histograms === undefined) return;
    const { saveHistogram } = await import('../save/save-histogram');
    await saveHistogram(store.writer, `${name}.${BIN_FILE.ending}`, histograms, store.sink);
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
