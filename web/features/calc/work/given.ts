import { argumentError } from '../../../base/errors';
import type { Held } from './ops/held';
import { axisOf, type Range, type Ranges } from './ops/project';
import type { ArgValue, Value } from './steps';

/** The arguments of a step, read by an operation. Each function throws ARGUMENT for a value of another kind. */
export class Given {
  readonly #op: string;
  readonly #args: Readonly<Record<string, ArgValue>>;
  readonly #resultOf: (step: number) => Value;

  constructor(op: string, args: Readonly<Record<string, ArgValue>>, resultOf: (step: number) => Value) {
    this.#op = op;
    this.#args = args;
    this.#resultOf = resultOf;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#args, name);
  }

  #own(name: string): ArgValue | undefined {
    return this.has(name) ? this.#args[name] : undefined;
  }

  number(name: string): number | undefined {
    const found = this.#own(name);
    if (found === undefined || typeof found === 'number') return found;
    if (isStep(found)) {
      const value = this.#resultOf(found.step);
      if (value.kind === 'number') return value.value;
    }
    throw this.#wrong(name, 'a number');
  }

  flag(name: string): boolean {
    const found = this.#own(name);
    if (found === undefined || typeof found === 'boolean') return found ?? false;
    throw this.#wrong(name, 'only named');
  }

  word(name: string): string | undefined {
    const found = this.#own(name);
    if (found === undefined || typeof found === 'string') return found;
    throw this.#wrong(name, 'a word');
  }

  numbers(name: string): readonly number[] | undefined {
    const found = this.#own(name);
    if (found === undefined) return undefined;
    if (Array.isArray(found) && found.every((one) => typeof one === 'number')) return found as number[];
    throw this.#wrong(name, 'a list of numbers');
  }

  words(name: string): readonly string[] {
    const found = this.#own(name) ?? [];
    if (Array.isArray(found) && found.every((one) => typeof one === 'string')) return found as string[];
    throw this.#wrong(name, 'a list of words');
  }

  histogram(name: string): Held | undefined {
    const found = this.#own(name);
    if (found === undefined) return undefined;
    const value = isStep(found) ? this.#resultOf(found.step) : undefined;
    if (value?.kind === 'histogram') return value.held;
    throw this.#wrong(name, 'a histogram');
  }

  axes(held: Held): number[] {
    return this.words('axes').map((letter) => axisOf(held, letter));
  }

  /** Ranges without a name, in their order. */
  unnamed(): readonly Range[] {
    const found = this.#own('ranges') ?? [];
    if (Array.isArray(found) && found.every(isRange)) return found as Range[];
    throw this.#wrong('ranges', 'a list of ranges');
  }

  /** Returns ranges by axis: those without a name are for the axes that are not `taken`, in order. */
  ranges(held: Held, taken: readonly number[] = []): Ranges {
    const found = new Map<number, Range>();
    for (const letter of 'xyz') {
      const range = this.#own(letter);
      if (range === undefined) continue;
      if (!isRange(range)) throw this.#wrong(letter, 'a range of bins, as 2:5');
      found.set(axisOf(held, letter), { ...range, bins: true });
    }
    const free = held.axes.map((_, i) => i).filter((i) => !taken.includes(i) && !found.has(i));
    for (const [k, range] of this.unnamed().entries()) {
      const index = free[k];
      if (index === undefined)
        throw argumentError(
          `"${held.name}" has no axis for the range ${range.from}:${range.to}.`,
          `${this.#op} takes a range for each axis.`,
        );
      found.set(index, range);
    }
    return found;
  }

  #wrong(name: string, what: string) {
    return argumentError(`"${name}" of ${this.#op} has to be ${what}.`);
  }
}

export function isRange(value: unknown): value is Range {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Range).from === 'number' &&
    typeof (value as Range).to === 'number'
  );
}

export function isStep(value: unknown): value is { step: number } {
  return (
    typeof value === 'object' && value !== null && typeof (value as { step?: unknown }).step === 'number'
  );
}
