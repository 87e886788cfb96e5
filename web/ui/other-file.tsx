import { useSignal } from '@preact/signals';
import type { SourceSpec } from '../api/api';
import { toXylemError } from '../base/errors';
import { typedUrl } from './state/address/typed-url';
import { tabName } from './state/open-files';
import type { ViewerStore } from './state/viewer-state';
import { FileButton } from './widgets/file-button';
import { slot } from './widgets/slot';

interface OtherFileProps {
  store: ViewerStore;
  /** Name of the address field: "Address of the reference". */
  label: string;
  /** Text of the button: "Compare". */
  action: string;
  onSource(source: SourceSpec): void;
}

/** Files that features offer to open. */
const Offered = slot('start');

/** The last part of an address. */
const lastPart = (url: string): string => url.replace(/^.*\/(?=.)/s, '');

/**
 * The choice of another file: by its address, from the disk, or one of those that are open, were opened recently, or lie on
 * the server of the page.
 */
export function OtherFile({ store, label, action, onSource }: OtherFileProps): JSX.Element {
  const address = useSignal('');
  const wrong = useSignal('');
  const shown = store.session.file.value?.source;
  const choose = (url: string) => onSource({ kind: 'url', url });
  const submit = () => {
    try {
      wrong.value = '';
      choose(typedUrl(address.value, document.baseURI));
    } catch (thrown) {
      wrong.value = toXylemError(thrown).message;
    }
  };
  const tabs = store.files.list.value.filter(({ id }) => id !== store.files.current.value);
  const { recent, base } = store.offers ?? {};
  const taken = [shown, ...tabs.map(({ source }) => source)].flatMap((source) =>
    source?.kind === 'url' ? [source.url] : [],
  );
  const before = recent?.urls.value.filter((url) => !taken.includes(url)) ?? [];
  return (
    <div class="other-file">
      <form
        class="controls compare"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <input
          type="text"
          inputMode="url"
          aria-label={label}
          placeholder="https://… of another file"
          value={address.value}
          onInput={(event) => {
            address.value = event.currentTarget.value;
          }}
        />
        <button type="submit">{action}</button>
        <FileButton
          class=""
          label="With a file of yours…"
          onFiles={([file]) => file && onSource({ kind: 'blob', blob: file, name: file.name })}
        />
      </form>
      {tabs.length > 0 && (
        <ul class="offered" aria-label="Open files">
          <li class="hint">Open:</li>
          {tabs.map((tab) => (
            <li key={tab.id}>
              <button type="button" class="link" onClick={() => onSource(tab.source)}>
                {lastPart(tabName(tab))}
              </button>
            </li>
          ))}
        </ul>
      )}
      {before.length > 0 && (
        <ul class="offered" aria-label="Recent files">
          <li class="hint">Recent:</li>
          {before.map((url) => (
            <li key={url}>
              <button type="button" class="link" title={url} onClick={() => choose(url)}>
                {lastPart(url)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {base !== undefined && (
        <Offered base={base} onUrl={choose} without={shown?.kind === 'url' ? shown.url : undefined} />
      )}
      {wrong.value !== '' && (
        <p class="hint bad" role="alert">
          {wrong.value}
        </p>
      )}
    </div>
  );
}
