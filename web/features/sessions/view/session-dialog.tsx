import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import type { Places } from '../../../ui/part';
import type { RecentFiles } from '../../../ui/state/recent/recent-files';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { CopyButton } from '../../../ui/widgets/copy-button';
import { FileButton } from '../../../ui/widgets/file-button';
import { Icon } from '../../../ui/widgets/icons';
import { MAX_NOTE, MAX_TITLE, type Session } from '../work/session';
import { MAX_LINK } from '../work/session-link';
import { giveFile, leaveOut, missingParts, openSession, recentOf, showView } from './open-session';
import { linkTo, saveSession } from './save-session';
import { nameOf } from './session-files';
import {
  type KeptView,
  keepView,
  makeSession,
  type SessionState,
  sessionState,
  shownText,
} from './session-state';

/** The session of the page: files, kept views, and ways to save and to open it. */
export function SessionDialog({ store, base }: Places['bar']): JSX.Element {
  const state = sessionState(store);
  const dialog = useRef<HTMLDialogElement>(null);
  const wrong = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // The content changes with the files, their states and the views.
  void [store.files.list.value, store.navigation.shownState.value, state.views.value, state.missing.value];
  void [state.title.value, store.contents.width.value, store.session.file.value];
  const { session, leftOut } = makeSession(store);
  const run = async (action: () => Promise<void>) => {
    wrong.value = '';
    try {
      await action();
    } catch (thrown) {
      const { message, fix } = toXylemError(thrown);
      wrong.value = [message, fix].filter(Boolean).join(' ');
    }
  };
  return (
    <dialog
      class="palette session"
      ref={dialog}
      aria-labelledby="session-title"
      onClose={() => {
        state.isOpen.value = false;
        state.said.value = [];
        state.told.value = undefined;
      }}
    >
      <form method="dialog" class="session-head">
        <h2 id="session-title">Session</h2>
        <button type="submit" class="quiet square" aria-label="Close">
          <Icon name="close" />
        </button>
      </form>
      <div class="session-parts">
        {wrong.value !== '' && (
          <p class="hint bad" role="alert">
            {wrong.value}
          </p>
        )}
        {state.said.value.map((sentence) => (
          <p class="hint bad" role="alert" key={sentence}>
            {sentence}
          </p>
        ))}
        <MissingFiles store={store} state={state} run={run} />
        <label class="session-name">
          <span>Title</span>
          <input
            type="text"
            maxLength={MAX_TITLE}
            value={state.title.value}
            placeholder="What this is about"
            onInput={({ currentTarget }) => {
              state.title.value = currentTarget.value;
            }}
          />
        </label>
        <KeptViews store={store} state={state} run={run} close={() => dialog.current?.close()} />
        <OpenFiles session={session} />
        {leftOut.map((sentence) => (
          <p class="hint" key={sentence}>
            {sentence}
          </p>
        ))}
        <SessionButtons {...{ store, base, session, run }} />
      </div>
    </dialog>
  );
}

type Run = (action: () => Promise<void>) => Promise<void>;

function SessionButtons(props: {
  store: ViewerStore;
  base: string;
  session: Session;
  run: Run;
}): JSX.Element {
  const { store, base, session, run } = props;
  const isEmpty = session.files.length === 0;
  const link = useSignal('');
  const text = JSON.stringify(session);
  useEffect(() => {
    let isLast = true;
    void linkTo(session, location).then((made) => {
      if (isLast) link.value = made;
    });
    return () => {
      isLast = false;
    };
  }, [text]);
  const isLong = link.value.length > MAX_LINK;
  return (
    <>
      <div class="controls session-buttons">
        <button type="button" class="primary" disabled={isEmpty} onClick={() => saveSession(session)}>
          Save session
        </button>
        {!isEmpty && link.value !== '' && !isLong && (
          <CopyButton class="copy-session" icon="link" label="Copy link" text={() => link.value} />
        )}
        <FileButton
          class=""
          label="Open session…"
          onFiles={([file]) => file && void run(async () => openSession(store, { kind: 'file', file }, base))}
        />
      </div>
      <p class="hint">
        {isLong
          ? `As a link it would have ${formatCount(link.value.length)} characters, and ${formatCount(MAX_LINK)} are the most that mail and chat keep whole: save it as a file.`
          : 'The file and the link name files and what is shown of them; they hold no data. Files of this machine are opened again on this machine, or wherever they are dropped.'}
      </p>
    </>
  );
}

function OpenFiles({ session }: { session: Session }): JSX.Element {
  const open = session.files.filter((file) => file.open !== false);
  return (
    <section aria-label="Open files">
      <h3>Open files</h3>
      {open.length === 0 ? (
        <p class="hint">No file is open.</p>
      ) : (
        <ul class="session-files">
          {open.map((file, i) => (
            <li key={`${i} ${nameOf(file)}`}>
              <b>{nameOf(file)}</b>
              <small>
                {shownText(file.state ?? '', file) === nameOf(file) ? '' : shownText(file.state ?? '', file)}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface PartProps {
  store: ViewerStore;
  state: SessionState;
  run: Run;
}

function MissingFiles({ store, state, run }: PartProps): JSX.Element | null {
  const recent = useSignal<RecentFiles | undefined>(undefined);
  useEffect(() => {
    void store.offers?.recent.files().then((loaded) => {
      recent.value = loaded;
    });
  }, []);
  const missing = state.missing.value;
  if (missing.length === 0) return null;
  return (
    <section aria-label="Files that are needed">
      <h3>Files that are needed</h3>
      <p class="hint">The session has files of a machine. Drop them on the page, or choose them.</p>
      <ul class="session-files">
        {missing.flatMap((one) =>
          missingParts(one).map(({ part, i }) => {
            const name = part.name ?? '';
            const kept = recentOf(recent.value, part);
            return (
              <li key={`${one.id} ${i}`}>
                <b>{name}</b>
                <small>{part.size === undefined ? '' : formatBytes(part.size)}</small>
                {kept && (
                  <button
                    type="button"
                    class="primary"
                    aria-label={`Open ${name} again`}
                    onClick={() =>
                      void run(async () => {
                        const file = await recent.value?.open(kept);
                        if (file) giveFile(store, one, i, file);
                      })
                    }
                  >
                    Open again
                  </button>
                )}
                <FileButton
                  class=""
                  label="Choose…"
                  keeps
                  onFiles={([file]) => file && giveFile(store, one, i, file)}
                />
                <button type="button" class="quiet" onClick={() => leaveOut(store, one)}>
                  Leave out
                </button>
              </li>
            );
          }),
        )}
      </ul>
    </section>
  );
}

function KeptViews({ store, state, run, close }: PartProps & { close(): void }): JSX.Element {
  const views = state.views.value;
  const isOpen = store.session.file.value !== null;
  const change = (id: number, part: Partial<KeptView>) => {
    state.views.value = views.map((view) => (view.id === id ? { ...view, ...part } : view));
  };
  const moveUp = (i: number) => {
    const [before, view] = [views[i - 1], views[i]];
    if (before && view) state.views.value = views.with(i - 1, view).with(i, before);
  };
  return (
    <section aria-label="Kept views">
      <h3>
        Kept views
        <button
          type="button"
          disabled={!isOpen}
          onClick={() =>
            void run(async () => {
              const why = keepView(store);
              if (why !== undefined) state.said.value = [why];
            })
          }
        >
          Keep this view
        </button>
      </h3>
      {views.length === 0 && (
        <p class="hint">
          Plots, walls, boards and tables that are kept here are one click away, with a note.
        </p>
      )}
      <ol class="session-views">
        {views.map((view, i) => (
          <li key={view.id}>
            <input
              type="text"
              aria-label={`Title of view ${i + 1}`}
              maxLength={MAX_TITLE}
              value={view.title}
              onInput={({ currentTarget }) => change(view.id, { title: currentTarget.value })}
            />
            <button
              type="button"
              aria-label={`Show ${view.title}`}
              title={`${nameOf(view.file)}: ${shownText(view.state, view.file)}`}
              onClick={() =>
                void run(async () => {
                  if (await showView(store, view)) close();
                })
              }
            >
              Show
            </button>
            <button
              type="button"
              class="quiet square"
              disabled={i === 0}
              aria-label={`Move ${view.title} up`}
              title="Move it up"
              onClick={() => moveUp(i)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet square"
              aria-label={`Remove ${view.title}`}
              title="Remove it"
              onClick={() => {
                state.views.value = views.filter((one) => one.id !== view.id);
              }}
            >
              ×
            </button>
            <textarea
              rows={view.note.split('\n').length}
              aria-label={`Note on ${view.title}`}
              placeholder="Note"
              maxLength={MAX_NOTE}
              value={view.note}
              onInput={({ currentTarget }) => change(view.id, { note: currentTarget.value })}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
