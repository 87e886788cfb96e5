import { controlsOf, type LookOptions } from '../../plot/look/controls';
import { entryOf, lookNames, lookOf, type PlotLook } from '../../plot/look/look';
import { UsageError } from '../arguments';
import { type Flag, flag, type Valued, valued } from '../options';

type Made = {
  [Name in keyof LookOptions]: LookOptions[Name] extends { says: string }
    ? Flag
    : LookOptions[Name] extends { multiple: true }
      ? Valued & { multiple: true }
      : Valued;
};

/** Returns the options of the looks of plots: of plots with layers, or of others. */
export function lookOptions(of: 'layers' | 'others'): Made {
  const made = lookNames
    .filter((name) => (entryOf(name).of === 'layers') === (of === 'layers'))
    .flatMap((name) => Object.entries(controlsOf(name).options ?? {}))
    .map(([name, { about, says, value = 'TEXT', choices, multiple }]) => [
      name,
      says === undefined
        ? valued(value, about, { ...(choices && { choices }), ...(multiple && { multiple }) })
        : flag(about),
    ]);
  return Object.fromEntries(made) as Made;
}

/** Returns the look that the options of a command line name. Throws UsageError for a value that does not exist. */
export function givenLook(given: object): PlotLook {
  const words = new Map<string, unknown>(Object.entries(given));
  return lookOf((look, { parse }) => {
    for (const [name, { says }] of Object.entries(controlsOf(look).options ?? {})) {
      const word = words.get(name);
      if (word === undefined || word === false) continue;
      const text = [word].flat().join('\n');
      const value = parse(says ?? text);
      if (value === undefined) throw new UsageError(`--${name} does not take "${text}".`);
      return value;
    }
    return undefined;
  });
}
