import { useLayoutEffect, useRef } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import type { Places } from '../../../ui/part';
import { Icon } from '../../../ui/widgets/icons';
import { type Asked, sessionState } from './session-state';

const filesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;
const named = (title: string): string => (title === '' ? 'The session' : `The session “${title}”`);

/** Maximum number of servers that are listed. */
const LISTED = 20;

/** Asks whether a session of many files is opened. Nothing of it is opened before. */
export function SessionQuestion({ store }: Places['bar']): JSX.Element | null {
  const state = sessionState(store);
  const asked = state.asked.value;
  return asked === undefined ? null : (
    <Question
      asked={asked}
      onClose={(isOpened) => {
        state.asked.value = undefined;
        if (isOpened) asked.open().catch((thrown) => store.files.fail(toXylemError(thrown).toRecord()));
      }}
    />
  );
}

function Question({ asked, onClose }: { asked: Asked; onClose(isOpened: boolean): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { title, files, servers } = asked;
  const more = servers.length - LISTED;
  return (
    <dialog
      class="palette session"
      ref={dialog}
      aria-labelledby="session-question"
      onClose={() => onClose(dialog.current?.returnValue === 'open')}
    >
      <form method="dialog" class="session-parts">
        <h2 id="session-question">Open {filesText(files)}?</h2>
        <p>
          {named(title)} opens {filesText(files)}, from{' '}
          {servers.length === 1 ? 'one place' : `${formatCount(servers.length)} places`}. Servers learn that
          you ask for them. Nothing has been opened yet.
        </p>
        <ul class="session-files session-servers">
          {servers.slice(0, LISTED).map(({ server, files: count }) => (
            <li key={server}>
              <b>{server}</b>
              <small>{filesText(count)}</small>
            </li>
          ))}
          {more > 0 && <li class="hint">and {formatCount(more)} more</li>}
        </ul>
        <div class="controls session-buttons">
          <button type="submit" value="" class="primary" autofocus>
            Do not open
          </button>
          <button type="submit" value="open">
            Open {filesText(files)}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Says which session was opened, and leads to its kept views. */
export function SessionNotice({ store }: Places['bar']): JSX.Element | null {
  const state = sessionState(store);
  const told = state.told.value;
  if (told === undefined) return null;
  const { title, files, views } = told;
  const close = () => {
    state.told.value = undefined;
  };
  return (
    <div class="session-notice">
      <p role="status">
        {title === '' ? 'A session' : <b>{title}</b>}: {filesText(files)} opened
      </p>
      {views > 0 && (
        <button
          type="button"
          onClick={() => {
            close();
            state.isOpen.value = true;
          }}
        >
          {formatCount(views)} kept {views === 1 ? 'view' : 'views'}
        </button>
      )}
      <button type="button" class="quiet square" aria-label="Close the notice" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  );
}
