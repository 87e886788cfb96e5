import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { cyclePath } from '../../../model/keys';
import { FreePlot } from '../../../ui/plot/free-plot';
import { ReportView } from '../../../ui/report/report';
import { SaveReport } from '../../../ui/report/save-report';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { QueryField } from '../../../ui/widgets/query-field';
import { useRead } from '../../../ui/widgets/use-read';
import { ProgramTabs } from '../../snippets/view/program-tabs';
import { flowPrograms } from '../work/code/programs';
import type { Cutflow } from '../work/flow';
import { MAX_CUTS } from '../work/masks';
import { modelOfPlot } from '../work/plot-model';
import { cutflowReport } from '../work/report';
import { type CutflowParams, formatCutflowParams, parseCutflowParams } from './cutflow-params';

/** The view `cutflow` of a tree: cuts, what is left after each, the plot of each variable, and programs of other tools. */
export function CutflowView(props: ViewProps): JSX.Element | null {
  const { store, tree } = props;
  if (!tree) return null;
  const params = parseCutflowParams(
    store.selection.view.value === 'cutflow' ? store.selection.viewParams.value : '',
  );
  const set = (next: CutflowParams) => store.selection.setView('cutflow', formatCutflowParams(next));
  return (
    <>
      <Cuts key={tree.keyIndex} {...{ params, set }} tree={tree.info} />
      {params.cuts.length === 0 ? (
        <p class="hint">
          Write one cut in each field, in the order in which they are applied: nMuon==2, then Jet_pt&gt;30. A
          cut on a list passes an entry if at least one element passes.
        </p>
      ) : (
        <Found {...props} tree={tree} params={params} />
      )}
    </>
  );
}

interface CutsProps {
  tree: TreeInfo;
  params: CutflowParams;
  set(next: CutflowParams): void;
}

/** The fields of the cuts and of the weight. There is always an empty one for a further cut. */
function Cuts({ tree, params, set }: CutsProps): JSX.Element {
  const draft = useSignal(params);
  const input = useRef<HTMLInputElement>(null);
  const text = formatCutflowParams(params);
  useEffect(() => {
    draft.value = params;
  }, [text]);
  const { cuts, weight } = draft.value;
  const change = (next: Partial<CutflowParams>) => {
    draft.value = { ...draft.peek(), ...next };
  };
  const count = () => {
    const own = draft.peek();
    set({ cuts: own.cuts.map((cut) => cut.trim()).filter((cut) => cut !== ''), weight: own.weight.trim() });
  };
  const replace = (at: number, ...by: string[]) => change({ cuts: cuts.toSpliced(at, 1, ...by) });
  /** Removes a cut, or moves it before the one above it. What is left is counted at once. */
  const act = (next: readonly string[]) => {
    change({ cuts: next });
    count();
  };
  const fields = cuts.length < MAX_CUTS ? [...cuts, ''] : cuts;
  return (
    <form
      class="cutflow-cuts"
      aria-label="Cuts"
      onSubmit={(event) => {
        event.preventDefault();
        count();
      }}
    >
      {fields.map((cut, i) => (
        <div class="cutflow-cut" key={i}>
          <QueryField
            {...{ id: `cutflow-${i}`, label: `Cut ${i + 1}`, tree, input, invalid: false, value: cut }}
            placeholder={i === 0 ? 'nMuon==2' : ''}
            onValue={(value) => (i < cuts.length ? replace(i, value) : change({ cuts: [...cuts, value] }))}
            onHistory={() => undefined}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Move cut ${i + 1} up`}
            title="Apply it before the one above"
            disabled={i === 0 || i >= cuts.length}
            onClick={() => act(cuts.toSpliced(i - 1, 2, cut, cuts[i - 1] ?? ''))}
          >
            ↑
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove cut ${i + 1}`}
            title="Remove"
            disabled={i >= cuts.length}
            onClick={() => act(cuts.toSpliced(i, 1))}
          >
            ×
          </button>
        </div>
      ))}
      <div class="cutflow-cut">
        <QueryField
          {...{ id: 'cutflow-weight', label: 'Weight', tree, input, invalid: false, value: weight }}
          placeholder="1"
          onValue={(value) => change({ weight: value })}
          onHistory={() => undefined}
        />
        <button type="submit" class="primary">
          Count
        </button>
      </div>
    </form>
  );
}

type FoundProps = ViewProps & { tree: NonNullable<ViewProps['tree']>; params: CutflowParams };

function Found(props: FoundProps): JSX.Element {
  const { store, open, tree, params } = props;
  const path = cyclePath(tree.key);
  const [read, again] = useRead(
    store,
    open,
    `cutflow ${JSON.stringify([path, params])}`,
    'Counting',
    (_api, _file, options) => store.insight.cutflow(open.info, { tree: path, ...params }, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <Shown {...props} found={read.value} />;
}

function Shown({ store, open, tree, theme, params, found }: FoundProps & { found: Cutflow }): JSX.Element {
  const report = useMemo(() => cutflowReport({ ...found, tree: tree.info.path }), [found]);
  const plots = useMemo(
    () =>
      (found.plots ?? []).flatMap((plot) => {
        const model = modelOfPlot(plot);
        return model ? [{ cut: plot.cut, model }] : [];
      }),
    [found],
  );
  return (
    <>
      <p class="summary" role="status">
        {report.title}
      </p>
      <div class="cutflow-tables">
        <ReportView report={report} />
      </div>
      {plots.length > 0 && (
        <>
          <h3>The variable of each cut, with all other cuts</h3>
          <div class="cutflow-plots">
            {plots.map(({ cut, model }, i) => (
              <section key={i} aria-label={cut}>
                <h4>{cut}</h4>
                <FreePlot model={model} theme={theme} />
              </section>
            ))}
          </div>
        </>
      )}
      <UseFlow
        address={open.source.kind === 'url' ? open.source.url : open.info.name}
        tree={tree.info}
        params={params}
      />
      <SaveReport store={store} report={report} name="cutflow.html" />
    </>
  );
}

/** Programs of other tools that count the same. Local files are named as if they were in the folder of the program. */
function UseFlow({
  params,
  ...file
}: {
  address: string;
  tree: TreeInfo;
  params: CutflowParams;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="bins" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Use this in RDataFrame, coffea, …</summary>
      {isOpen && <ProgramTabs all={flowPrograms({ ...file, ...params })} />}
    </details>
  );
}
