import { useRef } from 'preact/hooks';
import { pickFiles } from '../state/recent/file-handles';
import { Icon } from './icons';

interface FileButtonProps {
  class: string;
  label: string;
  /** Allows choosing several files at once. */
  multiple?: boolean;
  /** Whether the files may be opened again later, if the browser gives handles. */
  keeps?: boolean;
  onFiles(files: readonly File[]): void;
}

/** A button that lets the user choose files. */
export function FileButton({
  class: extra,
  label,
  multiple = false,
  keeps = false,
  onFiles,
}: FileButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const choose = async () => {
    const picked = keeps ? await pickFiles(multiple) : undefined;
    if (picked === undefined) input.current?.click();
    else if (picked.length > 0) onFiles(picked);
  };
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
      <button type="button" class={extra} onClick={() => void choose()}>
        <Icon name="open" /> <span>{label}</span>
      </button>
    </>
  );
}
