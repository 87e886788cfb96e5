import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';

/**
 * Where the keyboard focus goes after a choice replaced the element that had it: to the contents of the opened file,
 * or to the heading of the chosen item. The part that takes the focus sets this to null.
 */
export type FocusTarget = 'contents' | 'detail' | null;

export const WantedFocus = createContext<Signal<FocusTarget>>(signal(null));
