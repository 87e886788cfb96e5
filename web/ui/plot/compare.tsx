import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Histogram, PartialNote } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { readableLatex } from '../../plot/drawing/latex';
import { apartNames } from '../../plot/layers/layer-names';
import { layered } from '../../plot/layers/layered';
import type { AnyPlot, StatLine } from '../../plot/model';
import { typedUrl } from '../state/address/typed-url';
import type { DrawnWhat, Reference } from '../state/comparison';
import { tabName } from '../state/open-files';
import type { ViewerStore } from '../state/viewer-state';
import { FileButton } from '../widgets/file-button';
import { TableHead } from '../widgets/table-parts';
import { Partial } from './results';

/** The counterpart in the other file, to be compared with the shown one. */
export interface Compared<T> {
  found: T | undefined;
  error: ErrorRecord | undefined;
  again(): void;
}

type Result<T> = Omit<Compared<T>, 'again'>;

/** Reads from the reference, as soon as it is open; undefined waits. `key` identifies what is read. */
export function useFromReference<T>(
  store: ViewerStore,
  key: string | undefined,
  read: (reference: Reference) => Promise<T>,
): Compared<T> {
  const file = store.reference.file.value;
  const attempt = useSignal(0);
  const run = attempt.value;
  const nothing: Result<T> = { found: undefined, error: undefined };
  const state = useSignal<{ key?: string; from?: typeof file; result: Result<T> }>({ result: nothing });
  useEffect(() => {
    if (file === null || key === undefined) return;
    let here = true;
    const tell = (result: Result<T>) => {
      if (here) state.value = { key, from: file, result };
    };
    read(store.reference).then(
      (found) => tell({ found, error: undefined }),
      (thrown: unknown) => tell({ found: undefined, error: toXylemError(thrown).toRecord() }),
    );
    return () => {
      here = false;
    };
  }, [file, key, run]);
  const { result } = state.value;
  const known = file !== null && key !== undefined && state.value.key === key && state.value.from === file;
  return { ...(known ? result : nothing), again: () => attempt.value++ };
}

/** Draws the same from the reference, too; `shown` is complete then. */
export function useCompared(
  store: ViewerStore,
  what: DrawnWhat,
  shown: Histogram | undefined,
): Compared<Histogram> {
  const axes = shown?.axes.map(({ bins, low, high }) => [bins, low, high]);
  const key = shown && JSON.stringify([what, axes]);
  return useFromReference(store, key, (reference) => reference.draw(what, shown as Histogram));
}

/** The plot with that of the other file over it, or the sentence that says why there is none. */
export function useOverlaid(
  store: ViewerStore,
  model: AnyPlot,
  other: AnyPlot | undefined,
): { model: AnyPlot; why: string | undefined } {
  const [own, reference] = comparedNames(store);
  const { sameArea } = store.plot.look.value;
  return useMemo(() => {
    if (other === undefined) return { model, why: undefined };
    const parts = [
      { model: other, label: reference, ink: 'line2' as const },
      { model, label: own, ink: 'line1' as const },
    ];
    const drawn = layered(parts, { normalise: sameArea ? 'first' : 'none', below: 'ratio' });
    const why = drawn.refused.get(1) ?? (model.kind === 'bins' ? drawn.why : undefined);
    return why === undefined ? { model: drawn.model, why } : { model, why };
  }, [model, other, own, reference, sameArea]);
}

/** Short names of both files that tell them apart. */
function comparedNames(store: ViewerStore): [own: string, reference: string] {
  const files = [store.session.file.value, store.reference.file.value];
  const [own = '', other = ''] = apartNames(files.map((file) => file?.info.name ?? ''));
  return [own, other];
}

interface CompareProps {
  store: ViewerStore;
  compared: Pick<Compared<unknown>, 'error' | 'again'>;
  /** Why this cannot be compared. */
  why?: string | undefined;
  /** Missing parts of the counterpart. */
  note?: PartialNote | undefined;
  /** Counts can be scaled to the same area. */
  scales: boolean;
}

/** Chooses the file to compare with, and says what cannot be compared. */
export function Compare({ store, compared, why, note, scales }: CompareProps): JSX.Element {
  const reference = store.reference.file.value;
  const failed = compared.error ?? store.reference.error.value;
  const [, name] = comparedNames(store);
  return (
    <>
      {reference === null ? <ChooseReference store={store} /> : <Chosen store={store} scales={scales} />}
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
      {reference !== null && why !== undefined && (
        <p class="hint bad" role="alert">
          Nothing to compare: {why}
        </p>
      )}
      <Partial note={note} of={name} onAgain={compared.again} />
    </>
  );
}

/** Says that a file is open to compare with where nothing is shown that could be. */
export function NotCompared({ store, why }: { store: ViewerStore; why: string }): JSX.Element | null {
  if (store.reference.file.value === null) return null;
  return (
    <p class="hint not-compared" role="status">
      {comparedNames(store)[1]} is open to compare with. {why}{' '}
      <button type="button" class="link" onClick={() => store.reference.close()}>
        Stop comparing
      </button>
    </p>
  );
}

interface ComparedStatsProps {
  store: ViewerStore;
  own: readonly StatLine[];
  other: readonly StatLine[] | undefined;
}

/** The statistics of both files next to each other. */
export function ComparedStats({ store, own, other }: ComparedStatsProps): JSX.Element | null {
  if (other === undefined) return null;
  const labels = [...new Set([...own, ...other].map(({ label }) => label))];
  const names = comparedNames(store);
  const shownAs = (lines: readonly StatLine[], label: string) =>
    lines.find((line) => line.label === label)?.value ?? '0';
  return (
    <div class="table-box">
      <table class="compared-stats">
        <TableHead
          titles={[
            'Statistics',
            ...names.map((name, i) => (
              <>
                <span class={`line-swatch ${i === 0 ? 'first' : 'second'}`} /> {name}
              </>
            )),
          ]}
          numbers={[1, 2]}
        />
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row">{readableLatex(label)}</th>
              <td class="number">{shownAs(own, label)}</td>
              <td class="number">{shownAs(other, label)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Chosen({ store, scales }: { store: ViewerStore; scales: boolean }): JSX.Element {
  const look = store.plot.look.value;
  const [own, other] = comparedNames(store);
  return (
    <div class="controls compare">
      <span>
        <span class="line-swatch first" /> {own} <span class="line-swatch second" /> {other}
      </span>
      {scales && (
        <label class="check">
          <input
            type="checkbox"
            checked={look.sameArea}
            onChange={(event) => {
              store.plot.look.value = { ...look, sameArea: event.currentTarget.checked };
            }}
          />
          Same area
        </label>
      )}
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
