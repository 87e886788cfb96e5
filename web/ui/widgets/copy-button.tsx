import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons';

interface CopyButtonProps {
  label: string;
  /** Called when the button is pressed. */
  text(): string;
  class?: string;
  icon?: IconName;
}

/** Time in ms for which the button shows the result. */
const TOLD = 2500;

/** Copies a text, and shows whether that worked. */
export function CopyButton({ label, text, class: extra = '', icon }: CopyButtonProps): JSX.Element {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | undefined>(undefined);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (button: HTMLElement) => {
    const done = await copyText(text(), button);
    clearTimeout(timer.current);
    setOutcome(done ? 'copied' : 'refused');
    timer.current = window.setTimeout(() => setOutcome(undefined), TOLD);
  };
  return (
    <button type="button" class={`quiet ${extra}`} onClick={(event) => void copy(event.currentTarget)}>
      {icon && <Icon name={outcome === 'copied' ? 'done' : outcome === 'refused' ? 'close' : icon} />}
      <span aria-live="polite">
        {outcome === 'copied'
          ? 'Copied'
          : outcome === 'refused'
            ? 'The browser does not allow copying'
            : label}
      </span>
    </button>
  );
}

/** Returns false if the browser allows neither its clipboard nor the older way, through a field next to `place`. */
async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not available without https, and in frames without permission.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden';
  place.after(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    place.focus();
  }
}
