import { useSignal } from '@preact/signals';
import type { TargetedEvent, TargetedInputEvent } from 'preact';

interface TypedInput {
  value: string;
  onInput(event: TargetedInputEvent<HTMLInputElement>): void;
  onChange(event: TargetedEvent<HTMLInputElement>): void;
}

/**
 * The value and the listeners of a field that keeps what is being typed while the page is drawn again.
 *
 * @param text - shown while nobody types
 * @param onText - gets the text without spaces around it when the field is left or Enter is pressed
 */
export function useTyped(text: string, onText: (text: string) => void): TypedInput {
  const typed = useSignal<string | undefined>(undefined);
  return {
    value: typed.value ?? text,
    onInput: (event) => {
      typed.value = event.currentTarget.value;
    },
    onChange: (event) => {
      typed.value = undefined;
      onText(event.currentTarget.value.trim());
    },
  };
}
