import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toXylemError } from '../base/errors';

/**
 * A component whose code is loaded when it is first shown. Where it cannot be had, as after a new
 * version was put in the place of this one, that is said, with another try.
 */
export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Loads the code before it is needed. */
  warm(): void;
}

/** See `Lazy`. */
export function lazy<Props extends object>(
  load: () => Promise<(props: Props) => JSX.Element | null>,
): Lazy<Props> {
  let loaded: ((props: Props) => JSX.Element | null) | undefined;
  const Shown = (props: Props): JSX.Element => {
    const [wrong, setWrong] = useState('');
    const [, redraw] = useState(0);
    const fetchCode = () => {
      setWrong('');
      load().then(
        (component) => {
          loaded = component;
          redraw((count) => count + 1);
        },
        (thrown: unknown) => setWrong(toXylemError(thrown).message),
      );
    };
    useEffect(() => {
      if (loaded === undefined) fetchCode();
    }, []);
    const Component = loaded;
    if (Component !== undefined) return <Component {...props} />;
    if (wrong === '') return <div class="placeholder" aria-busy="true" />;
    return (
      <div class="hint bad" role="alert">
        <p>This part of the page could not be loaded: {wrong}</p>
        <button type="button" onClick={fetchCode}>
          Try again
        </button>
      </div>
    );
  };
  return Object.assign(Shown, { warm: () => void load().catch(() => undefined) });
}
