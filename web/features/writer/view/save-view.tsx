import { useSignal } from '@preact/signals';
import type { SourceSpec } from '../../../api/api';
import type { MergeInput, WriteApi } from '../../../api/write';
import { formatCount } from '../../../base/format';
import type { FileTab } from '../../../ui/state/open-files';
import { isDamaged, type OpenFile, sourceName, type ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { Select } from '../../../ui/widgets/segmented-control';
import { SaveFound } from './save-found';
import { counted, SaveRoot } from './save-root';

/** The view for ROOT files that are made from the open files. */
export function SaveView({ store, open }: ViewProps): JSX.Element {
  const { writer } = store;
  if (writer === undefined) return <p class="hint">This page cannot write files.</p>;
  return (
    <>
      <Merge {...{ store, open, writer }} />
      {open.info.files === undefined &&
        (isDamaged(open.info) ? (
          <>
            <h3>Save what is left of a damaged file</h3>
            <SaveFound {...{ store, open }} />
          </>
        ) : (
          <details class="bins">
            <summary>When parts of this file cannot be read</summary>
            <p class="hint">
              No damage was found when it was opened. Damage within trees shows when their values are read.
            </p>
            <SaveFound {...{ store, open }} />
          </details>
        ))}
    </>
  );
}

interface MergeProps {
  store: ViewerStore;
  open: OpenFile;
  writer: WriteApi;
}

/** Ways to merge trees whose branches differ, with a description. */
const schemas = {
  strict: 'must be the same in all files',
  filter: 'only those that all files have',
  union: 'all, with zeros where a file lacks one',
} as const;
type Schema = keyof typeof schemas;

/** Merges chosen open files to one file. */
function Merge({ store, open, writer }: MergeProps): JSX.Element {
  const left = useSignal<ReadonlySet<string>>(new Set());
  const files = store.files.list.value.flatMap((tab) => inputsOf(tab, store, open));
  const chosen = files.filter(({ key }) => !left.value.has(key));
  const schema = useSignal<Schema>('strict');
  const change = (key: string, isIn: boolean) => {
    const next = new Set(left.value);
    if (isIn) next.delete(key);
    else next.add(key);
    left.value = next;
  };
  return (
    <section class="merge">
      <h3>Merge the open files</h3>
      <p>
        Trees of one path become one, copied as they are compressed. Histograms, profiles, graphs,
        efficiencies, parameters and lists are added as ROOT adds them; other objects are kept.
      </p>
      {files.length < 2 ? (
        <p class="hint">Open another file to merge it with this one: each stays in the list of open files.</p>
      ) : (
        <fieldset class="merge-files">
          <legend class="hidden">Files to merge</legend>
          {files.map(({ key, name }) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={!left.value.has(key)}
                onChange={(event) => change(key, event.currentTarget.checked)}
              />{' '}
              <span class="label">{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      {files.length >= 2 && (
        <p>
          <Select
            label="Branches"
            options={Object.entries(schemas) as [Schema, string][]}
            value={schema.value}
            onChange={(value) => {
              schema.value = value;
            }}
          />
        </p>
      )}
      {files.length >= 2 && (
        <SaveRoot
          {...{ store, writer }}
          place="merge"
          label={`Save ${formatCount(chosen.length)} files as one`}
          name="merged.root"
          disabled={chosen.length < 2}
          write={async (api, sink, options) => {
            const inputs = chosen.map(({ input }) => input);
            const { bytes, trees, sums, objects, notes, leftOut } = await api.merge(inputs, sink, {
              ...options,
              schema: schema.value,
            });
            const parts = [
              counted(trees.length, 'tree'),
              counted(sums, 'sum'),
              counted(objects, 'other object'),
            ];
            return {
              bytes,
              text: parts.join(', '),
              notes: [...notes, ...leftOut.map((line) => `Left out: ${line}`)],
            };
          }}
        />
      )}
    </section>
  );
}

interface ListedInput {
  key: string;
  name: string;
  input: MergeInput;
}

/** Returns the files of a tab: several for a chain. A file that is not open yet is opened during the merge. */
function inputsOf(tab: FileTab, store: ViewerStore, shown: OpenFile): ListedInput[] {
  const { id, source } = tab;
  const closed = (one: SourceSpec, key: string): ListedInput => {
    const name = sourceName(one);
    return { key, name, input: { name, source: one } };
  };
  if (source.kind === 'chain') return source.files.map((part, i) => closed(part.source, `${id} ${i}`));
  const opened = id === store.files.current.value ? shown : tab.open;
  if (opened === null) return [closed(source, String(id))];
  return [{ key: String(id), name: sourceName(source), input: { file: opened.info } }];
}
