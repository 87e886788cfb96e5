import { useRef } from 'preact/hooks';
import { Icon } from './icons';

interface FileButtonProps {
  class: string;
  label: string;
  /** Allows choosing several files at once. */
  multiple?: boolean;
  onFiles(files: readonly File[]): void;
}

/** A button that lets the user choose files. */
export function FileButton({ class: extra, label, multiple = false, onFiles }: FileButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="hidden"
        type="file"
        multiple={multiple}
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <button type="button" class={extra} onClick={() => input.current?.click()}>
        <Icon name="open" /> <span>{label}</span>
      </button>
    </>
  );
}
