import { useEffect, useState } from 'preact/hooks';
import { toXylemError } from '../../base/errors';

/**
 * A component whose code is loaded when it is first shown. When it cannot be loaded, for example after a new
 * version replaced this one, it says so and offers another try, and to load the page again.
 */
export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Loads the code before it is needed. */
  warm(): void;
}

/** Loads the page again if the viewer is the whole page: its state is in the address. */
export const wholePage: { reload?: (() => void) | undefined } = {};

/** Loads what parts of the viewer need besides their code. */
let besides: () => Promise<void> = async () => {};

/** From now on a part is shown when its code and this are loaded: the styles of an element. */
export function loadBesides(load: () => Promise<void>): void {
  besides = load;
}

/** See `Lazy`. `bare`: it needs nothing besides its code. */
export function lazy<Props extends object>(
  load: () => Promise<(props: Props) => JSX.Element | null>,
  bare = false,
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
    // Also when it arrived between drawing this and now, for another place that shows the same.
    useEffect(() => {
      if (Component === undefined) fetchCode();
    }, []);
    if (Component !== undefined) return <Component {...props} />;
    if (wrong === '') return <div class="placeholder" aria-busy="true" />;
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
