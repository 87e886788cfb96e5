import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Histogram } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { scaledOverlay } from '../../plot/compare';
import { contentsOf, histogramStats } from '../../plot/histogram';
import type { PlotModel } from '../../plot/model';
import { tabName } from '../state/open-files';
import { typedUrl } from '../state/url-state';
import { sourceName, type ViewerStore } from '../state/viewer-state';
import { FileButton } from '../top-bar';
import { TableHead } from '../widgets/table-parts';
import { Partial } from './results';

/** The histogram of the other file, to be compared with the shown one. */
export interface Compared {
  overlay: Histogram | undefined;
  error: ErrorRecord | undefined;
  again(): void;
}

type Found = Omit<Compared, 'again'>;

/** Draws the same from the reference too, as soon as both are open; `shown` is complete then. */
export function useCompared(
  store: ViewerStore,
  { tree, branch, cut }: { tree: string; branch: string; cut: string },
  shown: Histogram | undefined,
): Compared {
  const file = store.reference.file.value;
  const attempt = useSignal(0);
  const run = attempt.value;
  const state = useSignal<{ of?: Histogram; from?: typeof file; found: Found }>({ found: nothing });
  useEffect(() => {
    if (file === null || shown === undefined) return;
    let here = true;
    const tell = (found: Found) => {
      if (here) state.value = { of: shown, from: file, found };
    };
    store.reference.draw({ tree, branch, cut }, shown).then(
      (overlay) => tell({ overlay, error: undefined }),
      (thrown: unknown) => tell({ overlay: undefined, error: toXylemError(thrown).toRecord() }),
    );
    return () => {
      here = false;
    };
  }, [file, shown, tree, branch, cut, run]);
  const { of, from, found } = state.value;
  const known = file !== null && of === shown && from === file;
  return { ...(known ? found : nothing), again: () => attempt.value++ };
}

const nothing: Found = { overlay: undefined, error: undefined };

/** The plot with the other file's drawn over it. */
export function useOverlaid(store: ViewerStore, model: PlotModel, { overlay }: Compared): PlotModel {
  const name = store.reference.file.value?.info.name;
  const own = store.file.value?.info.name;
  const { sameArea } = store.look.value;
  return useMemo(() => {
    if (overlay === undefined) return model;
    const title = shortName(name);
    const other = sameArea
      ? scaledOverlay(title, contentsOf(overlay), model.values)
      : { title, values: contentsOf(overlay) };
    return { ...model, title: shortName(own), overlays: [other] };
  }, [model, overlay, name, own, sameArea]);
}

function shortName(name = ''): string {
  return name.split('/').pop() || name;
}

interface CompareProps {
  store: ViewerStore;
  compared: Compared;
}

/** Chooses the file to compare with. */
export function Compare({ store, compared }: CompareProps): JSX.Element {
  const reference = store.reference.file.value;
  const failed = compared.error ?? store.reference.error.value;
  return (
    <>
      {reference === null ? (
        <ChooseReference store={store} />
      ) : (
        <Chosen store={store} name={reference.info.name} />
      )}
      {failed !== undefined && failed !== null && (
        <p class="hint bad" role="alert">
          {failed.code === 'ABORTED'
            ? 'Reading the file to compare with was cancelled.'
            : `Nothing to compare: ${failed.message} ${failed.fix ?? ''}`}{' '}
          {reference !== null && (
            <button type="button" class="link" onClick={compared.again}>
              Read again
            </button>
          )}
        </p>
      )}
      <Partial
        note={compared.overlay?.partial}
        of={shortName(reference?.info.name)}
        onAgain={compared.again}
      />
    </>
  );
}

/** The statistics of both files next to each other. */
export function ComparedStats({
  store,
  shown,
  compared,
}: CompareProps & { shown: Histogram }): JSX.Element | null {
  const { overlay } = compared;
  if (overlay === undefined) return null;
  const [own, other] = [shown, overlay].map(histogramStats);
  const labels = [...new Set([...(own ?? []), ...(other ?? [])].map(({ label }) => label))];
  const shownAs = (lines: typeof own, label: string) =>
    lines?.find((line) => line.label === label)?.value ?? '0';
  return (
    <div class="table-box">
      <table class="compared-stats">
        <TableHead
          titles={[
            'Statistics',
            <>
              <span class="line-swatch first" /> {shortName(store.file.value?.info.name)}
            </>,
            <>
              <span class="line-swatch second" /> {shortName(store.reference.file.value?.info.name)}
            </>,
          ]}
          numbers={[1, 2]}
        />
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{shownAs(own, label)}</td>
              <td class="number">{shownAs(other, label)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Chosen({ store, name }: { store: ViewerStore; name: string }): JSX.Element {
  const look = store.look.value;
  return (
    <div class="controls compare">
      <span>
        <span class="line-swatch first" />{' '}
        {sourceName(store.file.value?.source ?? { kind: 'path', path: '' })}{' '}
        <span class="line-swatch second" /> {shortName(name)}
      </span>
      <label class="check">
        <input
          type="checkbox"
          checked={look.sameArea}
          onChange={(event) => {
            store.look.value = { ...look, sameArea: event.currentTarget.checked };
          }}
        />
        Same area
      </label>
      <button type="button" class="link" onClick={() => store.reference.close()}>
        Stop comparing
      </button>
    </div>
  );
}

function ChooseReference({ store }: { store: ViewerStore }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const wrong = useSignal('');
  const others = store.files.list.value.filter((tab) => tab.id !== store.files.current.value);
  const open = (typed: string) => {
    try {
      wrong.value = '';
      void store.reference.open({ kind: 'url', url: typedUrl(typed, document.baseURI) });
    } catch (thrown) {
      wrong.value = toXylemError(thrown).message;
    }
  };
  return (
    <details class="bins">
      <summary>Compare with another file</summary>
      <form
        class="controls compare"
        onSubmit={(event) => {
          event.preventDefault();
          open(field.current?.value ?? '');
        }}
      >
        <input
          ref={field}
          type="text"
          inputMode="url"
          aria-label="Address of the file to compare with"
          placeholder="https://… address"
        />
        <button type="submit">Compare</button>
        <FileButton
          class=""
          label="Compare with a file…"
          onFiles={([file]) =>
            file !== undefined && void store.reference.open({ kind: 'blob', blob: file, name: file.name })
          }
        />
        {others.map((tab) => (
          <button type="button" key={tab.id} onClick={() => void store.reference.open(tab.source)}>
            Compare with {tabName(tab)}
          </button>
        ))}
        {wrong.value !== '' && <p class="hint bad">{wrong.value}</p>}
      </form>
    </details>
  );
}
