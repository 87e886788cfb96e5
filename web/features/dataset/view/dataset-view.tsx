import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CallOptions, ChainPart } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { formatBytes, formatCount } from '../../../base/format';
import { Part, ReportHead, Tables } from '../../../ui/report/report';
import type { OpenFile } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { useRead } from '../../../ui/widgets/use-read';
import { inputsOf, JOBS } from '../../chains/view/chain-run';
import { askedKey } from '../../chains/work/partial';
import { type Compared, compareFiles } from '../work/compare-files';
import type { DatasetFile, DatasetReport } from '../work/dataset';
import type { FactsAsked } from '../work/dataset-facts';
import { filesReport } from '../work/dataset-report';

/** Facts about files that were read completely, by address and tree, so that an interrupted check can continue. */
type Known = Map<string, DatasetFile>;

const checkedFiles = new WeakMap<OpenFile, Known>();

function knownOf(open: OpenFile): Known {
  const known = checkedFiles.get(open) ?? new Map();
  checkedFiles.set(open, known);
  return known;
}

/**
 * Shows whether the files of a list fit together, and which branches differ: from their metadata, or after reading
 * every byte.
 */
export function DatasetView({ store, open, tree }: ViewProps): JSX.Element | null {
  const path = tree?.key.path ?? '';
  const deep = useSignal(false);
  const [read, again] = useRead(
    store,
    open,
    `dataset ${path}`,
    'Comparing the files',
    (api, _file, options) => compared(api, open.chain ?? [], { tree: path, deep: false }, new Map(), options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  if (deep.value) return <Deep store={store} open={open} tree={path} report={read.value} />;
  return (
    <Report report={read.value}>
      <p class="dataset-depth">
        <button type="button" onClick={() => (deep.value = true)}>
          Check every basket
        </button>{' '}
        <span class="hint">This reads all {formatBytes(read.value.bytes)}, and finds damage.</span>
      </p>
    </Report>
  );
}

interface DeepProps extends Pick<ViewProps, 'store' | 'open'> {
  tree: string;
  /** The report from the metadata. */
  report: DatasetReport;
}

/** The report after every byte was read. Until then the report from metadata is shown. */
function Deep({ store, open, tree, report }: DeepProps): JSX.Element {
  const known = knownOf(open);
  const [read, again] = useRead(
    store,
    open,
    `dataset deep ${tree}`,
    'Checking every basket',
    (api, _file, options) =>
      compared(api, open.chain ?? [], { tree, deep: true, bytes: report.bytes }, known, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'ready')
    return (
      <Report report={read.value}>
        <p class="hint">Every basket of the files that could be opened was read.</p>
      </Report>
    );
  return (
    <Report report={report}>
      <p class="dataset-depth" role="status">
        {read.state === 'reading' ? (
          <span class="hint">Every basket is read. This is what the metadata say:</span>
        ) : (
          <>
            <button type="button" onClick={again}>
              Go on
            </button>{' '}
            <span class="hint">
              The check was cancelled after {formatCount(known.size)} of{' '}
              {formatCount(open.chain?.length ?? 0)} files. This is what the metadata say:
            </span>
          </>
        )}
      </p>
    </Report>
  );
}

/** Compares the files of a list. `bytes` is the size of the files that are read completely. */
async function compared(
  api: EngineApi,
  chain: readonly ChainPart[],
  { bytes = 0, ...asked }: FactsAsked & { bytes?: number },
  known: Known,
  { signal, onProgress }: CallOptions,
): Promise<DatasetReport> {
  const doing = asked.deep ? 'Checking every basket' : 'Comparing the files';
  const show = ({ done, bytes: bytesDone }: Compared): void =>
    onProgress?.({
      label: `${doing}: ${formatCount(done)} of ${formatCount(chain.length)}`,
      ...{ bytesDone, bytesTotal: bytes, entriesDone: done, entriesTotal: chain.length },
    });
  const inputs = await inputsOf(chain, asked.tree);
  const { report } = await compareFiles(inputs, {
    ...{ ...asked, jobs: JOBS, signal, onFile: show, onBytes: show },
    async open({ source }, use) {
      const info = await api.open(source, { signal });
      return await use({ reader: api, info }).finally(() => api.close(info.id));
    },
    known: (input) => known.get(askedKey(input)),
    keep: (input, facts) => known.set(askedKey(input), facts),
  });
  signal?.throwIfAborted();
  return report;
}

function Report(props: { report: DatasetReport; children: ComponentChildren }): JSX.Element {
  const report = filesReport(props.report);
  return (
    <>
      <ReportHead report={report} />
      {props.children}
      {report.parts?.map((part, i) => (
        <Part key={`${part.title} ${i}`} report={part} />
      ))}
      <Tables report={report} />
    </>
  );
}
