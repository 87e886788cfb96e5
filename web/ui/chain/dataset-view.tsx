import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CallOptions, ChainPart, Progress } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { eachAfterFirst } from '../../base/each-of';
import { toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import {
  Dataset,
  type DatasetFile,
  type DatasetFinding,
  type DatasetReport,
  type DatasetSchema,
} from '../../insight/dataset/dataset';
import { datasetFacts, type FactsAsked } from '../../insight/dataset/dataset-facts';
import { addressOf } from '../../measure/partial/address';
import { readTrees } from '../../measure/partial/read-inputs';
import type { OpenFile } from '../state/viewer-state';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { Facts } from '../widgets/definition-list';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { MoreRows, TableHead } from '../widgets/table-parts';
import { useRead } from '../widgets/use-read';
import { JOBS } from './chain-run';

/** Sets of branches that have a column. */
const COLUMNS = 12;
const ROWS = 100;

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

function Report({ report, children }: { report: DatasetReport; children: ComponentChildren }): JSX.Element {
  const { files, failed, bytes, writers, codecs, trees, findings } = report;
  const sum = (name: 'entries' | 'clusters') => trees.reduce((total, tree) => total + tree[name], 0);
  return (
    <>
      <Facts
        class="big"
        facts={[
          ['Files', formatCount(files + failed)],
          ['Unreadable', formatCount(failed)],
          ['Size', formatBytes(bytes)],
          ['Entries', formatCount(sum('entries'))],
          ['Clusters', formatCount(sum('clusters'))],
        ]}
      />
      <p>
        Written by ROOT {named(writers)}; codecs {named(codecs)}.
      </p>
      {children}
      {findings.length === 0 && <p class="hint">All files fit together.</p>}
      {findings.map((finding) => (
        <Finding key={`${finding.rule} ${finding.message} ${finding.files[0]}`} finding={finding} />
      ))}
      {trees.map(({ path, schemas }) => (
        <Matrix key={path} schemas={schemas} />
      ))}
    </>
  );
}

function Finding({ finding: { severity, message, files, count } }: { finding: DatasetFinding }): JSX.Element {
  return (
    <section class={severity === 'error' ? 'finding bad' : 'finding'}>
      <p>
        <span class="grade">{severity === 'error' ? 'Error' : 'Note'}</span> {message}
      </p>
      <details>
        <summary>{count === 1 ? lastPart(files[0] ?? '') : `${formatCount(count)} files`}</summary>
        <ul class="dataset-files">
          {files.map((file) => (
            <li key={file}>{file}</li>
          ))}
          {count > files.length && <li>and {formatCount(count - files.length)} more</li>}
        </ul>
      </details>
    </section>
  );
}

/** Branches that are not the same in all files, by files that have the same ones. */
function Matrix({ schemas }: { schemas: readonly DatasetSchema[] }): JSX.Element | null {
  const [limit, setLimit] = useState(ROWS);
  const [usual] = schemas;
  if (usual === undefined) return null;
  const shown = schemas.slice(0, COLUMNS);
  const rows = differing(shown);
  if (rows.length === 0)
    return <p class="hint">All files have the same {formatCount(usual.branches)} branches.</p>;
  return (
    <section class="finding">
      <h3>Branches that differ</h3>
      <p class="hint">
        Most files have {formatCount(usual.branches)} branches.
        {schemas.length > COLUMNS &&
          ` ${formatCount(schemas.length - COLUMNS)} more sets of branches are not shown.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="table-box" tabIndex={0}>
        <table>
          <TableHead titles={['Branch', ...shown.map(filesOf)]} />
          <tbody>
            {rows.slice(0, limit).map((branch) => (
              <tr key={branch}>
                <th scope="row">{branch}</th>
                {shown.map((schema, i) => (
                  <Cell
                    key={schema.names[0] ?? i}
                    branch={branch}
                    schema={schema}
                    usual={i === 0}
                    all={shown}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows left={rows.length - limit} onMore={() => setLimit(limit * 4)} />
    </section>
  );
}

/** The branches in which some set is not like the usual one. */
function differing(schemas: readonly DatasetSchema[]): string[] {
  const names = schemas.flatMap(({ missing, added, types }) => [
    ...missing,
    ...added,
    ...types.map(({ branch }) => branch),
  ]);
  return [...new Set(names)].sort((a, b) => (a < b ? -1 : 1));
}

interface CellProps {
  branch: string;
  schema: DatasetSchema;
  /** Whether it is the set that most files have. */
  usual: boolean;
  all: readonly DatasetSchema[];
}

function Cell({ branch, schema, usual, all }: CellProps): JSX.Element {
  const other = schema.types.find((type) => type.branch === branch);
  const isAdded = all.some(({ added }) => added.includes(branch));
  const has = usual ? !isAdded : isAdded ? schema.added.includes(branch) : !schema.missing.includes(branch);
  const type = usual
    ? all.flatMap(({ types }) => types).find((one) => one.branch === branch)?.usual
    : other?.type;
  if (!has) return <td class="differs">missing</td>;
  return <td class={other ? 'differs' : undefined}>{type ?? '✓'}</td>;
}

/** "2,998 files", or the name of a single one. */
function filesOf({ files, names }: DatasetSchema): JSX.Element {
  const text = files === 1 ? lastPart(names[0] ?? '') : `${formatCount(files)} files`;
  return <span title={names.join('\n')}>{text}</span>;
}

function lastPart(name: string): string {
  return name.split('/').pop() ?? name;
}

function named(counts: Record<string, number>): string {
  const texts = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${formatCount(count)})`);
  return texts.slice(0, 4).join(', ') || 'unknown';
}
