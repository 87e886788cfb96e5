import { signal } from '@preact/signals';

/** Whether the user has zoomed a plot once, or put the line away that says how. A page may remember it. */
export const knowsGestures = signal(false);
