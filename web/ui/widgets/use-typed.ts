import { useSignal } from '@preact/signals';
import type { TargetedEvent, TargetedInputEvent } from 'preact';

interface TypedInput {
  value: string;
  onInput(event: TargetedInputEvent<HTMLInputElement>): void;
  onChange(event: TargetedEvent<HTMLInputElement>): void;
}

/**
 * Returns value and listeners of a field that keeps the typed text while the page is rendered again.
 * @param text shown unless the user is typing
 * @param onText receives the trimmed text when the field loses the focus or Enter is pressed
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
