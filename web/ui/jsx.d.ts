import type { JSX as Preact } from 'preact';

declare global {
  namespace JSX {
    /** The result of a component. */
    type Element = Preact.Element;
  }
}
