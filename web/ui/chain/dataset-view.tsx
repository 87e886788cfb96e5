import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallOptions, ChainPart, ReaderApi } from '../../api/api';
import { eachOf } from '../../base/each-of';
import { toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import {
  Dataset,
  type DatasetFinding,
  type DatasetReport,
  type DatasetSchema,
} from '../../insight/dataset/dataset';
import { datasetFacts } from '../../insight/dataset/dataset-facts';
import { addressOf } from '../../query/partial/address';
import { Cancelled } from '../panels/branch-panel';
import type { ViewProps } from '../view-tabs';
import { Facts } from '../widgets/definition-list';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/status-line';
import { MoreRows, TableHead } from '../widgets/table-parts';
import { useRead } from '../widgets/use-read';
import { JOBS } from './chain-run';

/** Sets of branches that have a column. */
const COLUMNS = 12;
const ROWS = 100;

/** Whether the files of a list fit together, and which branches differ in which files; from their metadata. */
export function DatasetView({ store, open, tree }: ViewProps): JSX.Element | null {
  const path = tree?.key.path ?? '';
  const [read, again] = useRead(
    store,
    open,
    `dataset ${path}`,
    'Comparing the files',
    (api, _file, options) => compared(api, open.chain ?? [], path, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <Report report={read.value} />;
}

async function compared(
  api: ReaderApi,
  chain: readonly ChainPart[],
  tree: string,
  { signal, onProgress }: CallOptions,
): Promise<DatasetReport> {
  const all = new Dataset();
  let done = 0;
  await eachOf(chain, JOBS, signal, async (part) => {
    const name = await addressOf(part.source);
    try {
      const info = await api.open(part.source, { signal });
      try {
        all.add(await datasetFacts(api, info, name, { tree: part.tree ?? tree, deep: false }, { signal }));
      } finally {
        await api.close(info.id);
      }
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') return;
      all.addFailed(name, message);
    }
    done += 1;
    onProgress?.({
      label: `Comparing the files: ${formatCount(done)} of ${formatCount(chain.length)}`,
      ...{ bytesDone: 0, bytesTotal: 0, entriesDone: done, entriesTotal: chain.length },
    });
  });
  signal?.throwIfAborted();
  return all.report();
}

function Report({ report }: { report: DatasetReport }): JSX.Element {
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
