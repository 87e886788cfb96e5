import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toXylemError } from '../../base/errors';
import { Icon } from './icons';

interface SaveButtonsProps {
  /** Saves the picture in that form. The reason of a rejection is shown. */
  onSave(form: 'svg' | 'png'): Promise<void>;
}

/** Buttons that save a picture as an SVG or PNG file. */
export function SaveButtons({ onSave }: SaveButtonsProps): JSX.Element {
  const [wrong, setWrong] = useState('');
  const save = (form: 'svg' | 'png') => {
    setWrong('');
    onSave(form).catch((thrown: unknown) => setWrong(toXylemError(thrown).message));
  };
  return (
    <span class="save">
      {(['svg', 'png'] as const).map((form) => (
        <button type="button" class="quiet" key={form} onClick={() => save(form)}>
          <Icon name="download" /> {form.toUpperCase()}
        </button>
      ))}
      {wrong !== '' && (
        <span class="hint bad" role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}
