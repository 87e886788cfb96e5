import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';

/**
 * Where the keyboard goes on after a choice that replaced what it was at: the contents of a file that was opened, or the
 * heading of what was chosen. The part that has it takes it, and sets it to null.
 */
export type FocusTarget = 'contents' | 'detail' | null;

export const WantedFocus = createContext<Signal<FocusTarget>>(signal(null));
