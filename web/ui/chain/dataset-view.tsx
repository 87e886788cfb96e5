import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CallOptions, ChainPart, Progress } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { eachAfterFirst } from '../../base/each-of';
import { toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import { Dataset, type DatasetFile, type DatasetReport } from '../../insight/dataset/dataset';
import { datasetFacts, type FactsAsked } from '../../insight/dataset/dataset-facts';
import { filesReport } from '../../insight/dataset/dataset-report';
import { addressOf } from '../../measure/partial/address';
import { readTrees } from '../../measure/partial/read-inputs';
import { Part, ReportHead, Tables } from '../report/report';
import type { OpenFile } from '../state/viewer-state';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { useRead } from '../widgets/use-read';
import { JOBS } from './chain-run';

/** Facts on files that were read to their last byte, by address and tree, so that a check that was left or cancelled goes on. */
type Known = Map<string, DatasetFile>;

const checkedFiles = new WeakMap<OpenFile, Known>();

function knownOf(open: OpenFile): Known {
  const known = checkedFiles.get(open) ?? new Map();
  checkedFiles.set(open, known);
  return known;
}

/** Whether the files of a list fit together, and which branches differ in which files; from their metadata, or to their last byte. */
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

/** The same with every byte read; what the metadata say is shown meanwhile. */
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

interface Compare extends FactsAsked {
  /** Bytes of all files. */
  bytes?: number | undefined;
}

async function compared(
  api: EngineApi,
  chain: readonly ChainPart[],
  { bytes = 0, ...asked }: Compare,
  known: Known,
  { signal, onProgress }: CallOptions,
): Promise<DatasetReport> {
  const all = new Dataset();
  /** In the order of the list: the report does not depend on which file was read first. */
  const found: (() => void)[] = [];
  let done = 0;
  /** Bytes that were read of each file. */
  const checked = new Map<string, number>();
  const show = () => {
    const sum = [...checked.values()].reduce((total, one) => total + one, 0);
    onProgress?.({
      label: `${asked.deep ? 'Checking every basket' : 'Comparing the files'}: ${formatCount(done)} of ${formatCount(chain.length)}`,
      ...{ bytesDone: sum, bytesTotal: bytes, entriesDone: done, entriesTotal: chain.length },
    });
  };
  await eachAfterFirst([...chain.entries()], JOBS, signal, async ([i, part], go) => {
    const name = await addressOf(part.source);
    const tree = part.tree ?? asked.tree;
    const key = `${name} ${tree}`;
    try {
      const facts = known.get(key) ?? (await read(part, name, tree, go));
      known.set(key, facts);
      found[i] = () => all.add(facts);
      if (asked.deep) checked.set(key, facts.size);
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') return;
      found[i] = () => all.addFailed(name, message);
    }
    done += 1;
    show();
  });
  signal?.throwIfAborted();
  for (const add of found) add?.();
  return all.report();

  async function read(part: ChainPart, name: string, tree: string, go?: () => void): Promise<DatasetFile> {
    const info = await api.open(part.source, { signal });
    try {
      if (go) {
        await readTrees({ reader: api, info }, tree, signal);
        go();
      }
      const onBytes = ({ bytesDone }: Progress) => {
        checked.set(`${name} ${tree}`, bytesDone);
        show();
      };
      return await datasetFacts(api, info, name, { ...asked, tree }, { signal, onProgress: onBytes });
    } finally {
      await api.close(info.id);
    }
  }
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
