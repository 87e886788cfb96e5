// Import this first: it gives the thread of a test the document of happy-dom. All else stays as Node has it, the addresses of
// modules, too, which the environments of Vitest take for those of a server.
import { Window } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';

populateGlobal(globalThis, new Window({ url: 'http://localhost/' }), { bindFunctions: true });

/** There is no layout: what is observed is told once, as browsers do at first. */
globalThis.ResizeObserver = class implements ResizeObserver {
  constructor(private readonly tell: ResizeObserverCallback) {}
  observe(): void {
    this.tell([], this);
  }
  unobserve(): void {}
  disconnect(): void {}
};
