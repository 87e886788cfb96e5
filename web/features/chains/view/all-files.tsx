import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Histogram, PartialNote, TreeInfo } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import { modelOfHistogram } from '../../../plot/histogram';
import type { PlotWindow } from '../../../plot/ranges';
import { HistogramPanel } from '../../../ui/plot/histogram-panel';
import { LookToggles } from '../../../ui/plot/plot-controls';
import { Partial } from '../../../ui/plot/results';
import { saveText } from '../../../ui/save/save-blob';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { FileButton } from '../../../ui/widgets/file-button';
import { Icon } from '../../../ui/widgets/icons';
import { QueryField } from '../../../ui/widgets/query-field';
import { Check } from '../../../ui/widgets/segmented-control';
import { ALL_FILES_VIEW, type Asked, formatAsked, parseAsked } from './asked';
import { type ChainRun, chainRun, type RunState } from './chain-run';

/** Maximum number of failures that are listed. The note has the total number. */
const LISTED = 100;

/** Draws a tree over all files of a list, with intermediate results. */
export function AllFiles({ store, open, tree, theme }: ViewProps): JSX.Element | null {
  if (tree === undefined) return null;
  const run = chainRun(store, open, cyclePath(tree.key));
  return <Run key={tree.keyIndex} store={store} run={run} tree={tree.info} theme={theme} />;
}

interface RunProps {
  store: ViewerStore;
  run: ChainRun;
  tree: TreeInfo;
  theme: 'light' | 'dark';
}

function Run({ store, run, tree, theme }: RunProps): JSX.Element {
  const state = run.state.value;
  const { histogram, error } = state;
  const asked = parseAsked(store.selection.viewParams.value);
  const start = (next: Asked) => {
    store.selection.setView(ALL_FILES_VIEW, formatAsked(next));
    if (next.expr.trim() !== '') void run.start(next);
  };
  // A link that specifies a drawing starts it, unless that was done before.
  useEffect(() => {
    const { running, query } = run.state.peek();
    if (asked.expr !== '' && !running && query === undefined && error === undefined) void run.start(asked);
  }, [run]);
  return (
    <>
      <AskedForm key={store.selection.viewParams.value} asked={asked} tree={tree} onStart={start} />
      {error !== undefined && <ErrorPane error={error} onRetry={() => void run.resume()} />}
      <Progress run={run} state={state} />
      {histogram !== undefined && (
        <Shown store={store} run={run} histogram={histogram} running={state.running} theme={theme} />
      )}
      {histogram === undefined && !state.running && error === undefined && (
        <p class="hint">
          Each file is read by itself, and the histogram grows while they arrive. Without ends, the axis is
          that of the first file. The result can be saved, and resumed later, here or by{' '}
          <code>xylem draw --resume</code>.
        </p>
      )}
    </>
  );
}

interface FormProps {
  asked: Asked;
  tree: TreeInfo;
  onStart(asked: Asked): void;
}

function AskedForm({ asked, tree, onStart }: FormProps): JSX.Element {
  const draft = useSignal(asked);
  const expr = useRef<HTMLInputElement>(null);
  const cut = useRef<HTMLInputElement>(null);
  const set = (change: globalThis.Partial<Asked>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const number = (field: 'bins' | 'low' | 'high', label: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        size={7}
        value={draft.value[field]}
        onInput={(event) => set({ [field]: event.currentTarget.value })}
      />
    </label>
  );
  const common = { tree, invalid: false, onHistory: () => undefined };
  return (
    <form
      class="query-bar"
      aria-label={`Draw ${tree.name} of all files`}
      onSubmit={(event) => {
        event.preventDefault();
        onStart(draft.peek());
      }}
    >
      <div class="query-line">
        <QueryField
          {...common}
          id="all-expr"
          label="Draw"
          placeholder="x, y:x, or sqrt(x)>>h(100,0,10)"
          value={draft.value.expr}
          input={expr}
          onValue={(value) => set({ expr: value })}
        />
        <QueryField
          {...common}
          id="all-cut"
          label="Where"
          placeholder="everything"
          value={draft.value.cut}
          input={cut}
          onValue={(value) => set({ cut: value })}
        />
        <button type="submit" class="primary">
          Draw
        </button>
      </div>
      <div class="query-below chain-axis">
        {number('bins', 'Bins')}
        {number('low', 'From')}
        {number('high', 'To')}
        <Check label="Profile: mean of y" on={draft.value.profile} onChange={(on) => set({ profile: on })} />
      </div>
    </form>
  );
}

/** Shows "2,817 of 3,000 files, 12 failed", and the possible actions. */
function Progress({ run, state }: { run: ChainRun; state: RunState }): JSX.Element {
  const problem = useSignal<ErrorRecord | undefined>(undefined);
  const { done, failed, total, running, query, notice } = state;
  const attempt = async (work: () => Promise<void>) => {
    problem.value = undefined;
    try {
      await work();
    } catch (thrown) {
      problem.value = toXylemError(thrown).toRecord();
    }
  };
  const left = done < total || failed > 0;
  return (
    <section class="chain-progress" aria-label="Progress over all files">
      {query !== undefined && (
        <>
          <progress max={total} value={done} aria-label="Files read" />
          <p class="chain-count" role="status">
            {formatCount(done)} of {formatCount(total)} files
            {failed > 0 && `, ${formatCount(failed)} failed`}
            {running ? '' : left && done < total ? '; stopped' : '; done'}
          </p>
        </>
      )}
      <span class="buttons">
        {running && (
          <button type="button" onClick={() => run.cancel()}>
            Stop
          </button>
        )}
        {!running && query !== undefined && left && (
          <button type="button" class="primary" onClick={() => void run.resume()}>
            {done < total ? 'Go on' : 'Read failed files again'}
          </button>
        )}
        {query !== undefined && (
          <button
            type="button"
            onClick={() => void attempt(async () => saveText('partial.json', await run.text()))}
          >
            <Icon name="download" /> Save the result
          </button>
        )}
        {!running && (
          <FileButton
            class=""
            label="Open a saved result"
            onFiles={([file]) =>
              void attempt(async () => file && (await run.load(await file.text(), file.name)))
            }
          />
        )}
      </span>
      {notice !== '' && <p class="hint">{notice}</p>}
      {problem.value !== undefined && (
        <p class="hint bad" role="alert">
          {problem.value.message}
        </p>
      )}
    </section>
  );
}

interface ShownProps {
  store: ViewerStore;
  run: ChainRun;
  histogram: Histogram;
  running: boolean;
  theme: 'light' | 'dark';
}

function Shown({ store, run, histogram, running, theme }: ShownProps): JSX.Element {
  const { partial } = histogram;
  const model = useMemo(() => modelOfHistogram({ ...histogram, partial: undefined }), [histogram]);
  const window = useSignal<PlotWindow>({});
  const note: PartialNote | undefined = partial && { ...partial, errors: partial.errors.slice(0, LISTED) };
  return (
    <>
      {!running && <Partial note={note} parts="files" onAgain={() => void run.resume()} />}
      <HistogramPanel
        store={store}
        result={{ ...histogram, partial: undefined }}
        model={model}
        theme={theme}
        stale={false}
        window={window.value}
        onZoom={(next) => {
          window.value = next;
        }}
        controls={
          <div class="controls">
            <button
              type="button"
              disabled={window.value.x === undefined && window.value.y === undefined}
              onClick={() => {
                window.value = {};
              }}
            >
              Full range
            </button>
            <LookToggles store={store} model={model} />
          </div>
        }
      />
    </>
  );
}
