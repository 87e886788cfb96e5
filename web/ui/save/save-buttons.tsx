import { useState } from 'preact/hooks';
import { toXylemError } from '../../base/errors';
import { BIN_FILE } from '../../bins/formats';
import { Icon } from '../widgets/icons';

interface SaveButtonsProps {
  /** Saves the picture in this format. The reason of a rejection is shown. */
  onSave(form: 'svg' | 'png'): Promise<void>;
  /** Saves the drawing as a ROOT file; undefined if that is not possible. */
  onSaveRoot?: (() => Promise<void>) | undefined;
}

/** Buttons that save the picture as an SVG or PNG file, and the histograms as a ROOT file. */
export function SaveButtons({ onSave, onSaveRoot }: SaveButtonsProps): JSX.Element {
  const [wrong, setWrong] = useState('');
  const run = (save: () => Promise<void>) => {
    setWrong('');
    save().catch((thrown: unknown) => setWrong(toXylemError(thrown).message));
  };
  return (
    <span class="save">
      {(['svg', 'png'] as const).map((form) => (
        <button type="button" class="quiet" key={form} onClick={() => run(() => onSave(form))}>
          <Icon name="download" /> {form.toUpperCase()}
        </button>
      ))}
      {onSaveRoot !== undefined && (
        <button
          type="button"
          class="quiet"
          title="Save the histogram as a ROOT file"
          onClick={() => run(onSaveRoot)}
        >
          <Icon name="download" /> {BIN_FILE.label}
        </button>
      )}
      {wrong !== '' && (
        <span class="hint bad" role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}
