import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { keysText } from '../plot/command';
import { findCommand } from './commands/viewer-commands';
import type { Places } from './part';
import { typedUrl } from './state/address/typed-url';
import type { PageState } from './state/address/url-state';
import type { Theme, ViewerStore } from './state/viewer-state';
import { CopyButton } from './widgets/copy-button';
import { FileButton } from './widgets/file-button';
import { Icon, Logo } from './widgets/icons';
import { lazy } from './widgets/lazy';

/** Buttons of features in the bar of a whole page. */
const Bar = lazy<Places['bar']>(async () => (await import('./widgets/slot')).slot('bar'), false, true);

interface TopBarProps {
  store: ViewerStore;
  urlField: RefObject<HTMLInputElement | null>;
  /** `read` returns the address that the user meant, and throws ARGUMENT if it is not valid. */
  onUrl(read: (base: string) => string): void;
  onFiles(files: readonly File[]): void;
  addressOf: ((state: PageState) => string) | undefined;
  onFind(): void;
  onHelp(): void;
}

const themes: { theme: Theme; label: string; icon: 'system' | 'sun' | 'moon' }[] = [
  { theme: 'system', label: 'Colours of the system', icon: 'system' },
  { theme: 'light', label: 'Light colours', icon: 'sun' },
  { theme: 'dark', label: 'Dark colours', icon: 'moon' },
];

/** The bar at the top: ways to open a file, and the choice of colours. */
export function TopBar({
  store,
  urlField,
  onUrl,
  onFiles,
  addressOf,
  onFind,
  onHelp,
}: TopBarProps): JSX.Element {
  const source = store.session.file.value?.source ?? store.session.opening.value;
  // An address that cannot be opened stays in the field, to be corrected.
  const typed = useRef('');
  const address =
    source?.kind === 'url' ? source.url : store.session.openError.value === null ? '' : typed.current;
  const current = themes.findIndex(({ theme }) => theme === store.theme.value);
  const { label, icon } = themes[current] ?? { label: '', icon: 'system' as const };
  const next = themes[(current + 1) % themes.length];
  return (
    <header class="top-bar">
      <h1>
        <button type="button" class="brand" title="Back to the start" onClick={() => store.files.home()}>
          <Logo />
          <span>xylem</span>
        </button>
      </h1>
      <form
        class="url-form"
        onSubmit={(event) => {
          event.preventDefault();
          const text = urlField.current?.value ?? '';
          typed.current = text;
          onUrl((base) => typedUrl(text, base));
        }}
      >
        <label class="field">
          <span class="hidden">Address of a ROOT file</span>
          <input
            ref={urlField}
            type="text"
            inputMode="url"
            placeholder="https://… address of a ROOT file"
            autocomplete="url"
            spellcheck={false}
            key={address}
            defaultValue={address}
          />
        </label>
        <button type="submit">Open</button>
      </form>
      <FileButton
        class="open-file"
        label="Open file…"
        multiple
        keeps={addressOf !== undefined}
        onFiles={onFiles}
      />
      {addressOf !== undefined && source?.kind === 'url' && (
        <CopyButton
          class="copy-link"
          icon="link"
          label="Copy link"
          text={() => addressOf(store.navigation.pageState.peek())}
        />
      )}
      {addressOf !== undefined && <Bar store={store} base={document.baseURI} />}
      <button
        type="button"
        class="find"
        aria-keyshortcuts="Control+K Meta+K"
        title={findCommand.label}
        onClick={onFind}
      >
        <Icon name="search" /> <span>Find</span> <kbd>{keysText(findCommand.keys)}</kbd>
      </button>
      <button
        type="button"
        class="quiet square"
        aria-label="Keyboard, pointer and words"
        title="Keyboard, pointer and words (?)"
        onClick={onHelp}
      >
        ?
      </button>
      <button
        type="button"
        class="quiet square theme"
        aria-label={`${label}; switch to ${next?.label.toLowerCase()}`}
        title={label}
        onClick={() => {
          store.theme.value = next?.theme ?? 'system';
        }}
      >
        <Icon name={icon} />
      </button>
    </header>
  );
}
