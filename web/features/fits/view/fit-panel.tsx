import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FitResult, TogetherResult } from '../../../api/fit';
import type { AnyPlot } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import { ReportView } from '../../../ui/report/report';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Check, Select } from '../../../ui/widgets/segmented-control';
import { type FitText, formatFitText, parseFitText } from '../work/fit-text';
import { shapeList } from '../work/formula/shapes';
import { fitReport } from '../work/report';
import { StoredFitCode } from './fit-code';
import { useFit, valuesOf } from './use-fit';

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

/** The method that takes the values of the branch instead of bins. */
const UNBINNED = ['unbinned', 'Unbinned likelihood'] as const;

/** The fit of the shown plot: its fields and its result. The function is drawn on the plot. */
export function FitPanel(props: Places['plot']): JSX.Element {
  const { store, own, drawn: plot, made, layers, onChange } = props;
  const text = store.plot.look.value.fit;
  const fit = parseFitText(text);
  const { drawn, error, isBusy, progress, cancel } = useFit(store, props, text);
  const isSlow = useSlow(isBusy);
  const section = useRef<HTMLElement>(null);
  const below = fit.below || (plot.kind === 'map' ? 'none' : 'pulls');
  const add = useMemo(() => drawn && ((model: AnyPlot) => drawn.add(model, below)), [drawn, below]);
  useLayoutEffect(() => onChange('fit', add && { add, reading: false }), [add]);
  useLayoutEffect(() => () => onChange('fit', undefined), []);
  useEffect(() => {
    if (asked.delete(store)) section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const change = (next: Partial<FitText>) => setFit(store, formatFitText({ ...fit, ...next }));
  return (
    <section class="fit-panel" aria-label="Fit" aria-busy={isBusy} ref={section}>
      <div class="fit-head">
        <h3>Fit</h3>
        {isSlow && (
          <button type="button" onClick={cancel}>
            Cancel the fit
          </button>
        )}
        <button type="button" class="quiet" onClick={() => setFit(store, '')}>
          Close
        </button>
      </div>
      <Fields
        {...{ fit, change, isMap: plot.kind === 'map' }}
        hasValues={fit.unbinned !== '' || (layers === undefined && valuesOf(own, made) !== undefined)}
      />
      {(layers !== undefined || fit.shared !== '') && (
        <Together {...{ fit, change }} layers={layers?.length ?? 0} names={sharedNames(drawn?.result, fit)} />
      )}
      <p class="hint">Drag the ends of the range on the plot; a double click on one takes all of it.</p>
      {isSlow && progress && progress.entriesDone < progress.entriesTotal && (
        <p class="hint" role="status">
          Reading values: {Math.floor((100 * progress.entriesDone) / progress.entriesTotal)} % of the entries.
        </p>
      )}
      {error !== undefined && (
        <p class="hint bad" role="alert">
          {error}
        </p>
      )}
      {drawn && <ReportView report={fitReport(drawn.result)} />}
      {drawn && own?.object && !made && !layers && store.plot.look.value.rebin <= 1 && (
        <StoredFitCode store={store} own={own} />
      )}
    </section>
  );
}

/** Time in ms after which a fit can be cancelled by a button, so that none flashes. */
const SLOW = 400;

/** Whether something has been busy for some time. */
function useSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isSlow;
}

const BELOW = [
  ['pulls', 'Pulls'],
  ['difference', 'Difference'],
  ['none', 'Nothing'],
] as const;

interface FieldsProps {
  fit: FitText;
  change(next: Partial<FitText>): void;
  isMap: boolean;
  /** Whether the values can be fitted without bins. */
  hasValues: boolean;
}

function Fields({ fit, change, isMap, hasValues }: FieldsProps): JSX.Element {
  const letters = fit.options.toUpperCase();
  const method = METHODS.map(([one]) => one).find((one) => one !== '' && startsWith(letters, one)) ?? '';
  const rest = letters.slice(method.length);
  const isOfValues = fit.unbinned !== '';
  const methods = hasValues ? [...METHODS, UNBINNED] : METHODS;
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
        options={methods}
        value={isOfValues ? UNBINNED[0] : method}
        onChange={(value) =>
          change(
            value === UNBINNED[0]
              ? { unbinned: '1', options: rest.includes('E') ? 'E' : '' }
              : { unbinned: '', options: value + rest },
          )
        }
      />
      <TextField label="Range" value={fit.range} hint="all" onValue={(range) => change({ range })} />
      <TextField
        label="Start values"
        value={fit.parameters}
        hint="NAME=START"
        onValue={(parameters) => change({ parameters })}
      />
      {!isOfValues && (
        <Select
          label={isMap ? 'Instead' : 'Below'}
          options={BELOW}
          value={fit.below || (isMap ? 'none' : 'pulls')}
          onChange={(below) => change({ below: below === (isMap ? 'none' : 'pulls') ? '' : below })}
        />
      )}
      {!isOfValues && (
        <Check label="Mean over bins" on={rest.includes('I')} onChange={(on) => withLetter('I', on)} />
      )}
      <Check label="MINOS" on={rest.includes('E')} onChange={(on) => withLetter('E', on)} />
    </div>
  );
}

/** Names that are shared if nothing else is said: all but the first, which is the height of most shapes. */
function sharedNames(result: FitResult | TogetherResult | undefined, { shared }: FitText): string {
  if (shared !== '') return shared;
  const names = (result?.parameters ?? []).map(({ name }) => name);
  return (names.length > 1 ? names.slice(1) : names).join(',');
}

interface TogetherProps extends Pick<FieldsProps, 'fit' | 'change'> {
  /** Number of layers that are drawn, the plot itself among them. */
  layers: number;
  /** The names that are shared, or that would be. */
  names: string;
}

/** Fields of a fit of all layers at once. */
function Together({ fit, change, layers, names }: TogetherProps): JSX.Element {
  const isOn = fit.shared !== '';
  return (
    <div class="controls fit-fields">
      <Check
        label={
          layers > 0
            ? `Together with ${layers === 2 ? 'the other layer' : `${layers - 1} other layers`}`
            : 'Together with layers'
        }
        on={isOn}
        // Without a fit yet there are no names: the second parameter is shared.
        onChange={(on) =>
          change(on ? { shared: names || '1', unbinned: '' } : { shared: '', others: '', parameters: '' })
        }
      />
      {isOn && (
        <>
          <TextField
            label="Shared parameters"
            value={fit.shared}
            hint="Mean,Sigma"
            onValue={(shared) => change({ shared })}
          />
          <TextField
            label="Functions of the others"
            value={fit.others}
            hint="the same"
            onValue={(others) => change({ others })}
          />
        </>
      )}
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
