import { overBudget } from '../web/base/data-errors';

/** Calls of one viewer that run at once: each may fill as many cells as the library has room for. */
const RUNNING = 4;
/** Calls that wait for others. */
const WAITING = 1000;

/** Lets a few calls run at a time, in the order in which they came. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Throws BUDGET when too many wait, and what `call` throws. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < RUNNING) this.#running++;
    else await this.#turn();
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING) {
      throw overBudget(
        `This viewer has ${RUNNING} calls running and ${WAITING} waiting.`,
        'Wait for their answers, or fill many histograms with one call of drawAll.',
      );
    }
    return new Promise((go) => this.#waiting.push(go));
  }
}
