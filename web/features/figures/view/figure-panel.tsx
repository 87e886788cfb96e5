import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { PALETTE } from '../../../plot/drawing/drawing';
import { paintDrawing } from '../../../plot/drawing/drawing-canvas';
import { readableLatex } from '../../../plot/drawing/latex';
import { MAX_STYLE } from '../../../plot/look/look';
import type { AnyPlot } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import { saveBlob, saveText } from '../../../ui/save/save-blob';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { FileButton } from '../../../ui/widgets/file-button';
import { Icon } from '../../../ui/widgets/icons';
import { withPanelOf } from '../work/drawn/figure-model';
import type { Figure } from '../work/figure';
import { outlined } from '../work/fonts/typeset';
import { pixelsOf, withRecord } from '../work/forms/figure-png';
import { wholeStyle } from '../work/presets';
import { parseStyle, presetNames, type Style } from '../work/style';
import {
  FIELDS,
  LAYER_FIELDS,
  type Path,
  shapeAt,
  shownValue,
  typedValue,
  valueAt,
  withValue,
  wrongIn,
} from './fields';
import { styleOf, useFigure } from './use-figure';

/** The names of presets in the list. */
const PRESETS: Readonly<Record<(typeof presetNames)[number], string>> = {
  ...{ plain: 'Plain', cms: 'CMS', atlas: 'ATLAS', lhcb: 'LHCb', alice: 'ALICE', belle2: 'Belle II' },
};

function setFigure({ plot }: ViewerStore, figure: string): void {
  plot.look.value = { ...plot.look.value, figure };
}

/** The viewers whose user asked for the figure. It comes into sight then, but not when a link has it. */
const asked = new WeakSet<ViewerStore>();

/** The button that shows the figure of a plot, or hides it. */
export function FigureButton({ store }: Places['tools']): JSX.Element {
  const isOpen = store.plot.look.value.figure !== '';
  return (
    <span class="save">
      <button
        type="button"
        class="quiet figure-button"
        aria-pressed={isOpen}
        title="The plot as a figure for a paper"
        onClick={() => {
          asked.add(store);
          setFigure(store, isOpen ? '' : 'plain');
        }}
      >
        Figure
      </button>
    </span>
  );
}

/** The shown plot as a figure for a paper, with the fields of its style. */
export function FigurePanel({ store, own }: Places['plot']): JSX.Element | null {
  const text = store.plot.look.value.figure;
  const shown = store.plot.shown.value;
  const { figure, error } = useFigure(store, shown, own);
  const { style } = styleOf(text);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked.delete(store)) section.current?.scrollIntoView({ block: 'start' });
  }, []);
  const change = (next: Style) => {
    const names = Object.keys(next);
    setFigure(
      store,
      names.length === 1 && next.preset ? next.preset : JSON.stringify({ preset: 'plain', ...next }),
    );
  };
  return (
    <section class="figure-panel" aria-label="Figure" ref={section}>
      <div class="figure-head">
        <h3>Figure</h3>
        <FigureSaves figure={error === undefined ? figure : undefined} style={style} change={change} />
        <button type="button" class="quiet" onClick={() => setFigure(store, '')}>
          Close
        </button>
      </div>
      {error !== undefined && (
        <p class="hint bad" role="alert">
          {error}
        </p>
      )}
      <div class="figure-body">
        <Preview figure={figure} />
        {style && (
          <Fields style={style} model={shown?.model} layers={figure?.drawing.layers ?? []} change={change} />
        )}
      </div>
      <StyleText text={text} onText={(next) => setFigure(store, next)} />
      {text.length > MAX_STYLE && <p class="hint">The style is too long for a link: save it as a file.</p>}
    </section>
  );
}

/** CSS pixels in a mm on paper. */
const PIXELS = 96 / 25.4;
/** Maximum number of pixels on a side of the shown figure. */
const MAX_PIXELS = 4000;

/** The figure in its size on paper, or as wide as there is room. */
function Preview({ figure }: { figure: Figure | undefined }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null || figure === undefined) return;
    const { width, height } = figure.drawing.paper;
    const most = MAX_PIXELS / Math.max(width, height);
    paint(canvas.current, figure, Math.min(most, Math.max(2, globalThis.devicePixelRatio) * PIXELS));
  }, [figure]);
  const { width = 86, height = 64.5 } = figure?.drawing.paper ?? {};
  const [wide, tall] = [width, height].map((mm) => Math.round(mm * 10) / 10);
  return (
    <figure class="figure-sheet">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`The figure: ${readableLatex(figure?.drawing.title ?? '')}`}
        style={{ width: `${width}mm`, aspectRatio: `${width} / ${height}` }}
      />
      <figcaption class="hint">
        {wide} mm × {tall} mm
        {figure && figure.fonts.missing.length > 0 && `. The fonts lack ${figure.fonts.missing.join(' ')}`}
      </figcaption>
    </figure>
  );
}

/** Paints a figure with this many pixels in a mm. Its letters are outlines, so that it looks as the files do. */
function paint(canvas: HTMLCanvasElement, { drawing, fonts }: Figure, fineness: number): void {
  const { width, height } = drawing.paper;
  canvas.width = Math.round(width * fineness);
  canvas.height = Math.round(height * fineness);
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  ctx.fillStyle = '#ffffff';
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.scale(canvas.width / drawing.width, canvas.height / drawing.height);
  paintDrawing(
    ctx,
    { shapes: outlined(drawing.shapes, fonts) },
    { palette: PALETTE, fontFamily: 'sans-serif' },
  );
}

interface ChangeProps {
  style: Style;
  change(next: Style): void;
}

interface SavesProps {
  figure: Figure | undefined;
  style: Style | undefined;
  change(next: Style): void;
}

/** Buttons that save the figure and its style, and open a style. */
function FigureSaves(props: SavesProps): JSX.Element {
  const { figure, style, change } = props;
  const [wrong, setWrong] = useState('');
  const tried = (work: () => Promise<void>) => {
    setWrong('');
    work().catch((thrown: unknown) => {
      const { message, fix } = toXylemError(thrown);
      setWrong(`${message} ${fix ?? ''}`.trim());
    });
  };
  const name =
    readableLatex(figure?.drawing.title ?? '')
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 80) || 'figure';
  return (
    <span class="save">
      {(['pdf', 'svg', 'png'] as const).map((form) => (
        <button
          type="button"
          class="quiet"
          key={form}
          aria-label={`Figure as ${form.toUpperCase()}`}
          disabled={figure === undefined}
          onClick={() => figure && tried(async () => saveBlob(`${name}.${form}`, await FORMS[form](figure)))}
        >
          <Icon name="download" /> {form.toUpperCase()}
        </button>
      ))}
      <button
        type="button"
        class="quiet"
        disabled={style === undefined}
        onClick={() => saveText('figure-style.json', `${JSON.stringify(style, null, 2)}\n`)}
      >
        <Icon name="download" /> Save style
      </button>
      <FileButton
        class="quiet"
        label="Open style"
        onFiles={([file]) =>
          tried(async () => {
            change(parseStyle((await file?.text()) ?? ''));
          })
        }
      />
      {wrong !== '' && (
        <span class="hint bad" role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}

/** The forms in which a figure is saved. */
const FORMS: Readonly<Record<'pdf' | 'svg' | 'png', (figure: Figure) => Promise<Blob>>> = {
  async pdf(figure) {
    const { figurePdf } = await import('../work/forms/figure-pdf');
    return new Blob([await figurePdf(figure)], { type: 'application/pdf' });
  },
  async svg(figure) {
    const { figureSvg } = await import('../work/forms/figure-svg');
    return new Blob([figureSvg(figure)], { type: 'image/svg+xml' });
  },
  async png(figure) {
    const canvas = document.createElement('canvas');
    paint(canvas, figure, pixelsOf(figure));
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new RangeError('The browser gives no PNG of the figure.');
    const png = withRecord(new Uint8Array(await blob.arrayBuffer()), figure);
    return new Blob([png], { type: 'image/png' });
  },
};

/** The fields of a style, in groups. */
function Fields({
  style,
  layers,
  model,
  change,
}: ChangeProps & { layers: readonly string[]; model: AnyPlot | undefined }): JSX.Element {
  // The panel below, and with it the height, may be that of the plot.
  const seen = model ? withPanelOf(model, style) : style;
  const whole = wholeStyle(seen);
  const given = (path: Path) =>
    valueAt(style, path) === undefined && valueAt(seen, path) !== undefined ? 'plot' : 'preset';
  const field = (path: Path, label: string) => (
    <Field
      key={path}
      {...{ path, label, whole }}
      from={given(path)}
      value={valueAt(style, path)}
      onValue={(value) => change(withValue(style, path, value))}
    />
  );
  return (
    <div class="figure-fields">
      <label class="number-field">
        <span>Preset</span>
        <select
          value={style.preset ?? 'plain'}
          onChange={({ currentTarget }) =>
            change({ ...style, preset: presetNames[currentTarget.selectedIndex] })
          }
        >
          {presetNames.map((name) => (
            <option key={name} value={name}>
              {PRESETS[name]}
            </option>
          ))}
        </select>
      </label>
      {FIELDS.map(([title, fields]) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          <div class="controls">{fields.map(([path, label]) => field(path, label))}</div>
        </fieldset>
      ))}
      {layers.map((name, i) => (
        <fieldset key={i}>
          <legend>{readableLatex(name) || `Layer ${i + 1}`}</legend>
          <div class="controls">
            {LAYER_FIELDS.map(([member, label]) => field(`layers.${i}.${member}`, label))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

interface FieldProps {
  path: Path;
  label: string;
  /** The value of the style; undefined where that of the preset is used. */
  value: unknown;
  whole: object;
  /** Where the value comes from if the style has none. */
  from: 'plot' | 'preset';
  onValue(value: unknown): void;
}

/** A field of the kind that its shape asks for. An empty one leaves the value to the preset. */
function Field({ path, label, value, whole, from, onValue }: FieldProps): JSX.Element {
  const shape = shapeAt(path);
  const { about, choices } = shape;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const preset = shownValue(value === undefined ? valueAt(whole, path) : undefined);
  if (choices)
    return (
      <label class="number-field" title={about}>
        <span>{label}</span>
        <select
          value={shownValue(value)}
          onChange={({ currentTarget }) =>
            onValue(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        >
          <option value="">{preset === '' ? '–' : `${preset} (${from})`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    );
  if (shape.is(true))
    return (
      <label class="check" title={about}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onValue(currentTarget.checked || undefined)}
        />
        {label}
      </label>
    );
  const text = draft ?? shownValue(value);
  const isWrong = draft !== undefined && draft.trim() !== '' && typedValue(shape, draft) === undefined;
  // The sentence of a style file. The text stays until it is right, so that people see what was refused.
  const why = isWrong ? wrongIn(path, draft) : '';
  const said = useId();
  return (
    <label class="number-field" title={about}>
      <span>{label}</span>
      <input
        type="text"
        size={Math.min(24, Math.max(6, text.length + 1, preset.length + 1))}
        value={text}
        placeholder={preset}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? said : undefined}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.value;
          setDraft(typed);
          const read = typed.trim() === '' ? { value: undefined } : typedValue(shape, typed);
          if (read) onValue(read.value);
        }}
        onBlur={() => isWrong || setDraft(undefined)}
      />
      {isWrong && (
        <span class="hint bad" role="alert" id={said}>
          {why}
        </span>
      )}
    </label>
  );
}

/** The style as it is written in a file. A text that is not a style is told, and the last figure stays. */
function StyleText({ text, onText }: { text: string; onText(text: string): void }): JSX.Element {
  const { style } = styleOf(text);
  const [draft, setDraft] = useState<string | undefined>(undefined);
  return (
    <details class="figure-text">
      <summary>Style as JSON</summary>
      <textarea
        aria-label="Style as JSON"
        spellcheck={false}
        rows={12}
        value={draft ?? (style ? JSON.stringify(style, null, 2) : text)}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value);
          onText(currentTarget.value.trim() || 'plain');
        }}
        onBlur={() => setDraft(undefined)}
      />
    </details>
  );
}
