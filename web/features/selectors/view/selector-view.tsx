import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { didYouMean } from '../../../base/suggest';
import type { SelectorPlace } from '../../../ui/embed/selector-place';
import { saveText } from '../../../ui/save/save-blob';
import { keyPath, type ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { FileButton } from '../../../ui/widgets/file-button';
import { Icon } from '../../../ui/widgets/icons';
import { SELECTOR_NAME } from '../threads/box-api';
import { JOB_HELP } from '../work/kinds/kinds';
import { MAX_LINES } from './box/console-line';
import type { Editor } from './box/editor';
import { loadParts } from './load-parts';
import { Results } from './results';
import { LIMIT_S, type SelectorRun, selectorRun } from './selector-run';

/** A selector for a tree: its text and its results. */
export function SelectorView({ store, open, tree, theme }: ViewProps): JSX.Element | null {
  const place = store.selectors;
  if (tree === undefined || place === undefined) return null;
  const run = selectorRun(store, open, keyPath(tree.key, open.keyTree, tree.keyIndex));
  return <Written key={tree.keyIndex} store={store} place={place} run={run} tree={tree.info} theme={theme} />;
}

interface WrittenProps {
  store: ViewerStore;
  place: SelectorPlace;
  run: SelectorRun;
  tree: TreeInfo;
  theme: 'light' | 'dark';
}

function Written({ store, place, run, tree, theme }: WrittenProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const limit = useSignal(String(LIMIT_S));
  const editor = useRef<Editor | undefined>(undefined);
  const state = run.state.value;
  const { running, result, error, files, stopped, lines } = state;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    problem.value = undefined;
    try {
      await work();
    } catch (thrown) {
      problem.value = toXylemError(thrown).message;
    }
  };
  const start = (): void =>
    void attempt(async () => {
      const seconds = Number(limit.peek());
      const { boxScript } = await loadParts(place);
      await run.start(place, boxScript, seconds > 0 && seconds <= 3600 ? seconds : LIMIT_S);
    });
  const save = async (): Promise<void> => saveText('partial.json', await run.saved());
  return (
    <div class="selector">
      <section class="selector-bar" aria-label="Selector">
        {running ? (
          <button type="button" onClick={() => run.stop()}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" onClick={start}>
            Run
          </button>
        )}
        <FileButton
          class=""
          label="Open a selector"
          onFiles={([file]) =>
            void attempt(async () => {
              if (file) editor.current?.setText(await file.text());
            })
          }
        />
        <button
          type="button"
          onClick={() => saveText(SELECTOR_NAME, run.text.peek() ?? '', 'text/javascript')}
        >
          <Icon name="download" /> Save the selector
        </button>
        <button type="button" disabled={running || result === undefined} onClick={() => void attempt(save)}>
          <Icon name="download" /> Save the result
        </button>
        <label class="field">
          <span>A part may take, s</span>
          <input
            type="text"
            inputMode="decimal"
            size={4}
            value={limit.value}
            onInput={(event) => {
              limit.value = event.currentTarget.value;
            }}
          />
        </label>
      </section>
      <CodeField run={run} place={place} tree={tree} editor={editor} onRun={start} />
      {run.isKept.value && (
        <p class="hint">
          This is your text of before the page was loaded again.{' '}
          <button
            type="button"
            class="link"
            onClick={() => void attempt(async () => editor.current?.setText(await run.firstText(tree)))}
          >
            Begin with the first text
          </button>
        </p>
      )}
      {(problem.value ?? error) !== undefined && (
        <p class="hint bad" role="alert">
          {problem.value ?? (error && errorText(error))}
        </p>
      )}
      <p class="selector-count" role="status">
        {stopped && 'Stopped. '}
        {statusOf(running, files, result)}
      </p>
      {lines.length > 0 && (
        <section aria-label="Console">
          <h3>Console</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <pre class="own-result" tabIndex={0}>
            {lines.slice(0, MAX_LINES).join('\n')}
          </pre>
          {lines.length > MAX_LINES && <p class="hint">Only the first {MAX_LINES} lines are shown.</p>}
        </section>
      )}
      {result && (
        <Results
          store={store}
          result={result}
          mistakes={state.mistakes}
          running={running}
          isList={files.total > 1}
          theme={theme}
          onAgain={start}
        />
      )}
      <p class="hint">
        The code runs in a frame that has neither the network, storage nor this page. A link never brings
        code.
      </p>
    </div>
  );
}

/** The suggestions of a query are separate, because the query bar offers them as buttons. */
function errorText({ message, fix, where }: ErrorRecord): string {
  const said = didYouMean(where?.instead ?? []) ?? fix;
  return said === undefined ? message : `${message} ${said}`;
}

function statusOf(
  running: boolean,
  { done, failed, total }: ReturnType<SelectorRun['state']['peek']>['files'],
  result: { entries: number; passed: number } | undefined,
): string {
  const files =
    total > 1
      ? `${formatCount(done)} of ${formatCount(total)} files${failed > 0 ? `, ${formatCount(failed)} failed` : ''}. `
      : '';
  if (!result) return running ? `${files}Starting…` : files;
  return `${files}${formatCount(result.entries)} entries, ${formatCount(result.passed)} passed${running ? '…' : '.'}`;
}

interface CodeFieldProps {
  run: SelectorRun;
  place: SelectorPlace;
  tree: TreeInfo;
  editor: { current: Editor | undefined };
  onRun(): void;
}

/** The editor, once it is loaded and there is a text. */
function CodeField({ run, place, tree, editor, onRun }: CodeFieldProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const problem = useSignal<string | undefined>(undefined);
  const ready = useSignal(false);
  const runNow = useRef(onRun);
  runNow.current = onRun;
  useEffect(() => {
    let closed = false;
    const begin = async (): Promise<void> => {
      const [{ createEditor }] = await Promise.all([loadParts(place), run.begin(tree)]);
      if (closed || host.current === null) return;
      editor.current = createEditor(host.current, {
        text: run.text.peek() ?? '',
        branches: tree.branches.map(({ path, typeName, documentation }) => ({
          label: path.replaceAll('/', '.'),
          detail: documentation === undefined ? typeName : `${typeName}, ${documentation}`,
        })),
        job: JOB_HELP,
        onChange(text) {
          problem.value = undefined;
          run.setText(text);
        },
        onTooLong(most) {
          problem.value = `A selector that is written here has at most ${formatCount(most)} characters. "xylem process" runs longer ones.`;
        },
        onRun: () => runNow.current(),
      });
      ready.value = true;
    };
    begin().catch((thrown: unknown) => {
      problem.value = toXylemError(thrown).message;
    });
    return () => {
      closed = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, [run]);
  const { fault } = run.state.value;
  useEffect(() => editor.current?.setFault(fault), [fault, ready.value]);
  return (
    <>
      {problem.value !== undefined && (
        <p class="hint bad" role="alert">
          {problem.value}
        </p>
      )}
      {!ready.value && problem.value === undefined && (
        <div class="placeholder">Writing a first selector…</div>
      )}
      <div class="code-field" ref={host} />
    </>
  );
}
