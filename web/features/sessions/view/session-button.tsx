import type { Places } from '../../../ui/part';
import { Icon } from '../../../ui/widgets/icons';
import { lazy } from '../../../ui/widgets/lazy';
import { sessionState } from './session-state';

const Question = lazy<Places['bar']>(
  async () => (await import('./session-question')).SessionQuestion,
  false,
  true,
);
const Notice = lazy<Places['bar']>(
  async () => (await import('./session-question')).SessionNotice,
  false,
  true,
);
const Dialog = lazy<Places['bar']>(async () => (await import('./session-dialog')).SessionDialog, false, true);

/** The button of the session, and its dialogue. */
export function SessionButton(props: Places['bar']): JSX.Element {
  const state = sessionState(props.store);
  return (
    <>
      <button
        type="button"
        class="session-button"
        title="Session: open files, kept views and notes, as a file or a link"
        onClick={() => {
          state.isOpen.value = true;
        }}
      >
        <Icon name="list" /> <span>Session</span>
      </button>
      {state.isOpen.value && <Dialog {...props} />}
      {state.asked.value && <Question {...props} />}
      {state.told.value && !state.isOpen.value && <Notice {...props} />}
    </>
  );
}
