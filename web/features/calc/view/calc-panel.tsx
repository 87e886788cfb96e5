import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Histogram } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { quotedText } from '../../../base/literal';
import { binned, histogramIfAny } from '../../../bins/stored-histogram';
import { drawableHistogram } from '../../../plot/histogram';
import { plainLook } from '../../../plot/look/look';
import type { AnyPlot } from '../../../plot/model';
import { drawnObject } from '../../../plot/stored/stored';
import type { Places } from '../../../ui/part';
import type { OwnPlot } from '../../../ui/plot/own-plot';
import { SavePlot } from '../../../ui/plot/plot-controls';
import { PlotView } from '../../../ui/plot/plot-view';
import { useTheme } from '../../../ui/plot/use-theme';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { type Fact, Facts } from '../../../ui/widgets/definition-list';
import { ProgramTabs, type ShownProgram } from '../../snippets/view/program-tabs';
import { namedFile } from '../work/names';
import { OPERATIONS, type Operation, operationNames } from '../work/operations';
import { type Held, heldOf, histogramOfHeld } from '../work/ops/held';
import { histProgram } from '../work/programs/hist';
import { rootProgram } from '../work/programs/root';
import { measuredText } from '../work/report';
import type { Value } from '../work/steps';
import { RangeSection } from './range-section';
import { compiledSteps, stepsOfText, textOfSteps } from './step-texts';
import { histogramPaths, type StepsResult, useSteps } from './use-steps';

/** Arithmetic with the shown histogram: steps that can be undone, their result, and a range that is dragged. */
export function CalcPanel({ store, own, made, onChange }: Places['plot']): JSX.Element | null {
  const held = useMemo(() => heldOfPlot(own), [own]);
  const steps = stepsOfText(store.plot.steps.value);
  const isOpen = useSignal(steps.length > 0);
  const result = useSteps(store, held, steps);
  const { value } = result;
  const isDone = steps.length > 0 && result.error === undefined && held !== undefined;
  const shown = useMemo(() => (isDone && value ? shownValue(value, steps) : undefined), [isDone, value]);
  const why = steps.length === 0 || own === undefined ? undefined : whyNothing(held, result, shown);
  const isComing = steps.length > 0 && shown === undefined && why === undefined;
  useLayoutEffect(() => {
    const { histogram, model } = shown ?? {};
    // Other results, as numbers, stand below the plot.
    const change = histogram && model && { made: histogram, model, histograms: [histogram], reading: false };
    onChange('calc', change ?? (steps.length > 0 ? { why, reading: isComing } : undefined));
  }, [shown, why, isComing, steps.length]);
  useLayoutEffect(() => () => onChange('calc', undefined), []);
  if (held === undefined)
    return why === undefined ? null : (
      <p class="hint bad" role="alert">
        {why}
      </p>
    );
  return (
    <details
      class="bins calc"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Arithmetic</summary>
      {isOpen.value && <Arithmetic {...{ store, own, held, steps, result, shown, made }} />}
    </details>
  );
}

/** Why steps give nothing that the plot can show. Undefined if they do, or while they are computed. */
function whyNothing(
  held: Held | undefined,
  { error, value, reading }: StepsResult,
  shown: ShownValue | undefined,
): string | undefined {
  if (held === undefined) return 'There is no arithmetic with this plot, because it has no bins.';
  if (error) return error.message;
  if (reading || value === undefined || (shown?.histogram && shown.model)) return undefined;
  return value.kind === 'histogram'
    ? 'The result of the arithmetic has three axes.'
    : `The result of the arithmetic is ${KINDS[value.kind]}.`;
}

const KINDS = { number: 'a number', statistics: 'statistics', efficiency: 'an efficiency' } as const;

interface ArithmeticProps {
  store: ViewerStore;
  own: OwnPlot | undefined;
  held: Held;
  steps: readonly string[];
  result: StepsResult;
  shown: ShownValue | undefined;
  /** The result that the plot shows. */
  made: Histogram | undefined;
}

function Arithmetic({ store, own, held, steps, result, shown, made }: ArithmeticProps): JSX.Element {
  const theme = useTheme(store);
  const put = (next: readonly string[]) => {
    store.plot.steps.value = textOfSteps(next);
  };
  const add = (text: string) => put([...steps, text]);
  const { value, error, reading } = result;
  // The next step and the range are for the result, if it is a histogram.
  const now = steps.length > 0 && value?.kind === 'histogram' && error === undefined ? value.held : held;
  const isOnPlot = made !== undefined && made === shown?.histogram;
  const isShown = (now === held ? made === undefined : isOnPlot) && store.plot.look.value.fit === '';
  return (
    <section aria-label="Arithmetic" aria-busy={reading}>
      {steps.length > 0 && (
        <>
          <ol class="calc-steps">
            {steps.map((step, i) => (
              <li key={`${i} ${step}`}>
                <code>{step}</code>
                <button
                  type="button"
                  aria-label={`Remove step ${i + 1}`}
                  onClick={() => put(steps.filter((_, k) => k !== i))}
                >
                  Remove
                </button>
              </li>
            ))}
          </ol>
          <div class="controls">
            <button type="button" onClick={() => put(steps.slice(0, -1))}>
              Undo
            </button>
            <button type="button" class="link" onClick={() => put([])}>
              Remove all steps
            </button>
          </div>
        </>
      )}
      {error && (
        <p class="hint bad" role="alert">
          {error.message} {error.fix}
        </p>
      )}
      <AddStep store={store} onStep={add} />
      {isOnPlot && <p class="hint">The plot shows the result.</p>}
      {shown && !isOnPlot && <Result {...{ store, shown, theme }} />}
      {now.axes.length < 3 && !now.profile && (
        <RangeSection {...{ store, theme, isShown }} held={now} onStep={add} />
      )}
      {steps.length > 0 && error === undefined && <Programs {...{ store, own, steps }} />}
    </section>
  );
}

/** The form for another step: an operation, an operand, and the expression that they make, which can be edited. */
function AddStep({ store, onStep }: { store: ViewerStore; onStep(text: string): void }): JSX.Element {
  const text = useSignal('');
  const paths = histogramPaths(store.session.file.value);
  const other = useSignal('');
  const operandText = (): string => quotedText(other.value || (paths[0] ?? 'other.root:histogram'));
  const choose = (name: string): void => {
    const found = operationNames.find((one) => one === name);
    if (found === undefined) return;
    const { operands, example }: Operation = OPERATIONS[found];
    const args = ['h', ...operands.slice(1).map(operandText), ...(example === '' ? [] : [example])];
    text.value = `${found}(${args.join(', ')})`;
  };
  return (
    <form
      class="controls calc-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim() === '') return;
        onStep(text.value.trim());
        text.value = '';
      }}
    >
      <select
        aria-label="Operation"
        value=""
        onChange={(event) => {
          choose(event.currentTarget.value);
          event.currentTarget.value = '';
        }}
      >
        <option value="">Operation…</option>
        {operationNames.map((name) => (
          <option key={name} value={name} title={OPERATIONS[name].about}>
            {name}
          </option>
        ))}
      </select>
      <input
        type="text"
        class="calc-other"
        list="calc-histograms"
        aria-label="Other histogram"
        placeholder="other histogram: path, or file.root:path"
        value={other.value}
        onInput={(event) => {
          other.value = event.currentTarget.value;
        }}
      />
      <datalist id="calc-histograms">
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <input
        type="text"
        class="calc-text"
        aria-label="Step"
        spellcheck={false}
        placeholder='rebin(h, 2), or h / "other"'
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <button type="submit">Add step</button>
    </form>
  );
}

interface ResultProps {
  store: ViewerStore;
  shown: ShownValue;
  theme: 'light' | 'dark';
}

/** A result that the plot does not show: numbers, statistics, an efficiency, or a histogram under layers. */
function Result({ store, shown: { model, histogram, facts }, theme }: ResultProps): JSX.Element {
  return (
    <section class="calc-result" aria-label="Result">
      {model && (
        <PlotView model={model} look={plainLook} theme={theme} hint={false}>
          <SavePlot model={model} look={plainLook} drawn={histogram && { store, histograms: [histogram] }} />
        </PlotView>
      )}
      <Facts class="stats" facts={facts} />
    </section>
  );
}

/** The result of steps as it is shown. */
interface ShownValue {
  histogram?: Histogram | undefined;
  model?: AnyPlot | undefined;
  facts: Fact[];
}

function shownValue(value: Value, steps: readonly string[]): ShownValue {
  if (value.kind === 'histogram') {
    const histogram = { ...histogramOfHeld(value.held), title: steps.join(', ') };
    const model = drawableHistogram(histogram);
    return { histogram, model, facts: (model?.stats ?? []).map((line): Fact => [line.label, line.value]) };
  }
  if (value.kind === 'number') return { facts: [['Number', measuredText(value)] as Fact] };
  if (value.kind === 'efficiency') {
    const { model } = drawnObject(value.object, new Map(), '');
    return { model, facts: (model?.stats ?? []).map((line): Fact => [line.label, line.value]) };
  }
  const { statistics, axes } = value;
  const facts: Fact[] = [
    ['Entries', String(statistics.entries)],
    ...(statistics.integral ? [['Integral', measuredText(statistics.integral)] as Fact] : []),
    ...axes.flatMap((axis, i): Fact[] => {
      const [mean, spread] = [statistics.mean[i], statistics.stdDev[i]];
      return mean && spread
        ? [
            [`Mean of ${axis}`, measuredText(mean)],
            [`Std Dev of ${axis}`, measuredText(spread)],
          ]
        : [];
    }),
  ];
  return { facts };
}

/** The steps as programs of other tools, to copy. */
function Programs({ store, own, steps }: Pick<ArithmeticProps, 'store' | 'own' | 'steps'>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const all = useMemo(() => (isOpen ? programsOf(store, own, steps) : []), [isOpen, own, steps.join('|')]);
  return (
    <details class="bins" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>This in ROOT, hist</summary>
      {isOpen && <ProgramTabs all={all} />}
    </details>
  );
}

const TOOLS = [
  { id: 'root', tool: 'ROOT', program: rootProgram },
  { id: 'hist', tool: 'hist', program: histProgram },
] as const;

function programsOf(
  store: ViewerStore,
  own: OwnPlot | undefined,
  steps: readonly string[],
): readonly ShownProgram[] {
  const open = store.session.file.peek();
  const address = open?.source.kind === 'url' ? open.source.url : (open?.info.name ?? '');
  const first = own?.filled
    ? `fill(${[address, own.filled.tree, filledText(own), own.cut].map(quoted).join(', ')})`
    : quoted(own?.what ?? '');
  return TOOLS.map(({ program, ...tool }): ShownProgram => {
    try {
      const { steps: compiled } = compiledSteps(steps, first);
      return { ...tool, text: program(compiled, (name) => namedFile(name) ?? { file: address, path: name }) };
    } catch (thrown) {
      return { ...tool, why: toXylemError(thrown).message };
    }
  });
}

/** Returns a text in the quotation marks that it does not have. */
const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Returns the expression of a filled histogram with its bins. */
function filledText({ what, filled }: OwnPlot): string {
  const axes = filled?.histogram.axes ?? [];
  const numbers = axes.flatMap(({ bins, low, high }) => [bins, low, high]);
  return `${what.replace(/>>.*$/s, '')}>>h(${numbers.join(',')})`;
}

function heldOfPlot(own: OwnPlot | undefined): Held | undefined {
  const histogram = own?.filled?.histogram ?? histogramIfAny(own?.object && binned(own.object));
  return histogram && heldOf(histogram);
}
