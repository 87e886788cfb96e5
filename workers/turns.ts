import { overBudget } from '../web/base/data-errors';

/**
 * Number of calls of one viewer that run at the same time. Each may use as many histogram cells as the library
 * allows.
 */
const RUNNING = 4;
/** Maximum number of waiting calls. */
const WAITING = 1000;

/** Lets a few calls run at a time, in the order in which they came. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Throws BUDGET if too many calls wait, and the errors of `call`. */
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
