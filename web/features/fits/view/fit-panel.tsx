import { useEffect, useRef, useState } from 'preact/hooks';
import { DARK_PALETTE, drawingSvg, PALETTE } from '../../../plot/drawing/drawing';
import { readableLatex } from '../../../plot/drawing/latex';
import { type AnyPlot, statNumber } from '../../../plot/model';
import type { PlotDrawing } from '../../../plot/plot-drawing';
import { plotPicture } from '../../../plot/svg';
import type { Places } from '../../../ui/part';
import { Painted } from '../../../ui/plot/painted';
import { ReportView } from '../../../ui/report/report';
import { savePng, saveText } from '../../../ui/save/save-blob';
import { SaveButtons } from '../../../ui/save/save-buttons';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Check, Select } from '../../../ui/widgets/segmented-control';
import { type FitText, formatFitText, parseFitText } from '../work/fit-text';
import { shapeList } from '../work/formula/shapes';
import { withFit } from '../work/plot';
import { fitReport } from '../work/report';
import { useFit } from './use-fit';

function setFit({ plot }: ViewerStore, fit: string): void {
  plot.look.value = { ...plot.look.value, fit };
}

/** The viewers whose user asked for a fit. It comes into sight then, but not when a link has it. */
const asked = new WeakSet<ViewerStore>();

/** The button that fits a function to a plot, or hides the fit. */
export function FitButton({ store }: Places['tools']): JSX.Element {
  const isOpen = store.plot.look.value.fit !== '';
  return (
    <span class="save">
      <button
        type="button"
        class="quiet"
        aria-pressed={isOpen}
        title="Fit a function to the plot"
        onClick={() => {
          asked.add(store);
          setFit(store, isOpen ? '' : 'gaus');
        }}
      >
        Fit
      </button>
    </span>
  );
}

const METHODS = [
  ['', 'Chi-square'],
  ['L', 'Likelihood'],
  ['P', 'Pearson'],
  ['WL', 'Weighted likelihood'],
] as const;

/** The shown plot with a function that is fitted to it, and the result. */
export function FitPanel({ store, shown, own }: Places['plot']): JSX.Element {
  const text = store.plot.look.value.fit;
  const fit = parseFitText(text);
  const { drawn, error, isBusy } = useFit(store, own, text);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked.delete(store)) section.current?.scrollIntoView({ block: 'start' });
  }, []);
  const change = (next: Partial<FitText>) => setFit(store, formatFitText({ ...fit, ...next }));
  return (
    <section class="fit-panel" aria-label="Fit" aria-busy={isBusy} ref={section}>
      <div class="fit-head">
        <h3>Fit</h3>
        <button type="button" class="quiet" onClick={() => setFit(store, '')}>
          Close
        </button>
      </div>
      <Fields fit={fit} change={change} />
      {error !== undefined && (
        <p class="hint bad" role="alert">
          {error}
        </p>
      )}
      {drawn && (
        <div class="fit-body">
          <FitPicture
            model={withFit(plain(shown), drawn, 'pulls')}
            log={store.plot.look.value.log}
            onRange={(range) => change({ range })}
          />
          <div class="fit-result">
            <ReportView report={fitReport(drawn.result)} />
          </div>
        </div>
      )}
    </section>
  );
}

/** The plot by itself: layers and panels below belong to the plot above. */
const plain = (model: AnyPlot): AnyPlot => (model.kind === 'bins' ? { ...model, below: undefined } : model);

function Fields({ fit, change }: { fit: FitText; change(next: Partial<FitText>): void }): JSX.Element {
  const letters = fit.options.toUpperCase();
  const method = METHODS.map(([one]) => one).find((one) => one !== '' && startsWith(letters, one)) ?? '';
  const rest = letters.slice(method.length);
  const withLetter = (letter: string, on: boolean) =>
    change({ options: method + (on ? rest + letter : rest.replaceAll(letter, '')) });
  return (
    <div class="controls fit-fields">
      <TextField
        label="Function"
        value={fit.function}
        list
        onValue={(value) => change({ function: value, ...(value !== fit.function && { parameters: '' }) })}
      />
      <Select
        label="Method"
        options={METHODS}
        value={method}
        onChange={(value) => change({ options: value + rest })}
      />
      <TextField label="Range" value={fit.range} hint="all" onValue={(range) => change({ range })} />
      <TextField
        label="Start values"
        value={fit.parameters}
        hint="NAME=START"
        onValue={(parameters) => change({ parameters })}
      />
      <Check label="Mean over bins" on={rest.includes('I')} onChange={(on) => withLetter('I', on)} />
      <Check label="MINOS" on={rest.includes('E')} onChange={(on) => withLetter('E', on)} />
    </div>
  );
}

/** W alone is another option than WL. */
const startsWith = (letters: string, method: string): boolean => letters.startsWith(method);

interface TextFieldProps {
  label: string;
  value: string;
  hint?: string;
  list?: boolean;
  onValue(value: string): void;
}

/** A field whose value counts when it is left, or with Enter. */
function TextField({ label, value, hint = '', list = false, onValue }: TextFieldProps): JSX.Element {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const text = draft ?? value;
  const done = () => {
    if (draft !== undefined && draft.trim() !== value) onValue(draft.trim());
    setDraft(undefined);
  };
  return (
    <label class="number-field">
      <span>{label}</span>
      <input
        type="text"
        size={Math.min(34, Math.max(8, text.length + 1))}
        value={text}
        placeholder={hint}
        spellcheck={false}
        list={list ? 'xylem-fit-shapes' : undefined}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (currentTarget.value.trim() !== value) onValue(currentTarget.value.trim());
          setDraft(undefined);
        }}
        onBlur={done}
      />
      {list && (
        <datalist id="xylem-fit-shapes">
          {shapeList().map(({ name, about }) => (
            <option key={name} value={name}>
              {about}
            </option>
          ))}
          <option value="gaus(0)+pol1(3)">a sum</option>
          <option value="gaus(0)+expo(3)">a sum</option>
        </datalist>
      )}
    </label>
  );
}

interface FitPictureProps {
  model: AnyPlot;
  log: { x: boolean; y: boolean };
  onRange(range: string): void;
}

/** The plot with the function. Dragging over it chooses the range, a double click all bins. */
function FitPicture({ model, log, onRange }: FitPictureProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState('light');
  const [room, setRoom] = useState(560);
  const [drag, setDrag] = useState<[from: number, to: number] | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = () => {
      setTheme(element.closest<HTMLElement>('[data-theme]')?.dataset.theme ?? 'light');
      setRoom(Math.min(900, Math.max(300, Math.round(element.clientWidth))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const picture: PlotDrawing = plotPicture(
    { ...model, functions: [], stats: [] },
    { log, stats: false, width: room, height: 420 },
  );
  const frame = picture.frames[0];
  /** The place of a pointer along x, in pixels of the drawing and of the page. */
  const placeOf = (event: PointerEvent) => {
    const box = place.current?.querySelector('canvas')?.getBoundingClientRect();
    const scale = box ? picture.width / box.width : 1;
    return { at: (event.clientX - (box?.left ?? 0)) * scale, scale };
  };
  const within = (at: number) => Math.min(frame?.box.right ?? at, Math.max(frame?.box.left ?? at, at));
  const finish = () => {
    if (drag && frame && Math.abs(drag[1] - drag[0]) > 4) {
      const ends = drag.map((at) => frame.x.toValue(at)).sort((a, b) => a - b);
      const digits = ends.map((end) => Number(end.toPrecision(5)));
      onRange(digits.join(':'));
    }
    setDrag(undefined);
  };
  const save = async (form: 'svg' | 'png'): Promise<void> => {
    const svg = drawingSvg(plotPicture(model, { log }));
    const name = readableLatex(model.title) || 'fit';
    if (form === 'png') await savePng(`${name}.png`, svg);
    else saveText(`${name}.svg`, svg, 'image/svg+xml');
  };
  const width = place.current?.querySelector('canvas')?.getBoundingClientRect().width ?? picture.width;
  const toPage = width / picture.width;
  return (
    <figure class="fit-picture">
      <div class="plot-line">
        <span class="hint">Drag over the plot to choose the range; a double click takes all of it.</span>
        <SaveButtons onSave={save} />
      </div>
      <div
        class="fit-stage"
        role="application"
        aria-label="Range of the fit"
        ref={place}
        onPointerDown={(event) => {
          const { at } = placeOf(event);
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([within(at), within(at)]);
        }}
        onPointerMove={(event) => {
          if (drag) setDrag([drag[0], within(placeOf(event).at)]);
        }}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
        onDblClick={() => onRange('')}
      >
        <Painted
          drawing={picture}
          name={`the fit of ${readableLatex(model.title)}`}
          palette={theme === 'dark' ? DARK_PALETTE : PALETTE}
        />
        {drag && frame && (
          <span
            class="fit-drag"
            style={{
              left: `${Math.min(...drag) * toPage}px`,
              width: `${Math.abs(drag[1] - drag[0]) * toPage}px`,
              top: `${frame.box.top * toPage}px`,
              height: `${(frame.box.bottom - frame.box.top) * toPage}px`,
            }}
          >
            {drag.map((at) => statNumber(Number(frame.x.toValue(at).toPrecision(4)))).join(' to ')}
          </span>
        )}
      </div>
    </figure>
  );
}
