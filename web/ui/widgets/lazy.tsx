import { useEffect, useState } from 'preact/hooks';
import { toXylemError } from '../../base/errors';

/**
 * A component whose code is loaded when it is first shown. If that fails, for example because a new version was
 * installed, it says so and offers to try again and to reload the page.
 */
export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Loads the code before it is needed. */
  warm(): void;
}

/** Reloads the page if the viewer is the whole page. Its state is in the address. */
export const wholePage: { reload?: (() => void) | undefined } = {};

/** Loads what parts of the viewer need besides their code. */
let besides: () => Promise<void> = async () => {};

/**
 * Sets a further condition for showing a part: this has to be loaded as well, for example the styles of an element.
 */
export function loadBesides(load: () => Promise<void>): void {
  besides = load;
}

/** See `Lazy`. `bare`: the part needs only its code. `quiet`: nothing is shown before that is loaded. */
export function lazy<Props extends object>(
  load: () => Promise<(props: Props) => JSX.Element | null>,
  bare = false,
  quiet = false,
): Lazy<Props> {
  let loaded: ((props: Props) => JSX.Element | null) | undefined;
  const fetched = async (): Promise<void> => {
    const [component] = await Promise.all([load(), bare ? undefined : besides()]);
    loaded = component;
  };
  const Shown = (props: Props): JSX.Element => {
    const [wrong, setWrong] = useState('');
    const [, redraw] = useState(0);
    const fetchCode = () => {
      setWrong('');
      fetched().then(
        () => redraw((count) => count + 1),
        (thrown: unknown) => setWrong(toXylemError(thrown).message),
      );
    };
    const Component = loaded;
    // The code may have arrived since rendering, for another place that shows the same part.
    useEffect(() => {
      if (Component === undefined) fetchCode();
    }, []);
    if (Component !== undefined) return <Component {...props} />;
    if (wrong === '') return <>{!quiet && <div class="placeholder" aria-busy="true" />}</>;
    return (
      <div class="hint bad" role="alert">
        <p>{wrong}</p>
        <button type="button" onClick={fetchCode}>
          Try again
        </button>
        {wholePage.reload && (
          <button type="button" onClick={wholePage.reload}>
            Load the page again
          </button>
        )}
      </div>
    );
  };
  return Object.assign(Shown, { warm: () => void fetched().catch(() => undefined) });
}
