import { signal } from '@preact/signals';

/** Whether the user has zoomed a plot, or closed the hint about it. A page may store this. */
export const knowsGestures = signal(false);
