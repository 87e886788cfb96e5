/**
 * Something that a user can do, in one list for each place where keys are heard. The palette, the help and the keys are all
 * made of these. `On` is what a command acts on: the viewer, its contents, a table.
 */
export interface Command<On> {
  id: string;
  /** A sentence's start, as the palette and the help show it. */
  label: string | ((on: On) => string);
  /** Kind of the target in the palette: "Branch", "View", "Do". */
  kind: string;
  /** Other words by which it is found. */
  words?: string | undefined;
  /** Keys as events name them, `Control+` before them where it is held (on Apple's machines the command key); see `LETTERS`. */
  keys?: readonly string[] | undefined;
  /** Its label is the path of something in the file, whose last member says most. */
  isPath?: boolean | undefined;
  /** It leads elsewhere: the keyboard goes on there. */
  goes?: boolean | undefined;
  /** Whether it can be done now. Default: always. */
  when?(on: On): boolean;
  /** `key` is the one of `keys` that was pressed, or the letter. */
  run(on: On, key?: string): void;
}

/** A command that has keys where it is heard. Its words do not change, because the help lists them. */
export interface KeyedCommand<On> extends Command<On> {
  label: string;
  keys: readonly string[];
}

/** In `keys`: every key that writes a character, except those of the viewer. */
export const LETTERS = 'a … z';

/** Whether the keyboard has a command key in place of Ctrl. */
const isApple = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');

const SYMBOLS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  ' ': 'Space',
  Control: isApple ? '⌘' : 'Ctrl',
};

/** Keys as they are shown: "Ctrl K", "↑ ↓". */
export function keysText(keys: readonly string[]): string {
  const one = (key: string) =>
    key
      .split('+')
      .map((part) => SYMBOLS[part] ?? (part.length === 1 && key !== part ? part.toUpperCase() : part))
      .join(' ');
  return keys.map(one).join(' ');
}

/** The members of an event that tell the key. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** A key as `Command.keys` names it; undefined with a modifier that no command has. */
export function nameOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): string | undefined {
  if (altKey) return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  return ctrlKey || metaKey ? `Control+${name}` : key;
}

/** Returns the command of a key press, or undefined. `except` are commands whose keys do not count here. */
export function commandOf<On>(
  commands: readonly KeyedCommand<On>[],
  press: KeyPress,
  except: readonly KeyedCommand<never>[] = [],
): KeyedCommand<On> | undefined {
  const name = nameOfKey(press);
  if (name === undefined) return undefined;
  const named = commands.find(({ keys }) => keys.includes(name));
  if (named !== undefined) return named;
  const isLetter = [...name].length === 1 && !except.some(({ keys }) => keys.includes(name));
  return isLetter ? commands.find(({ keys }) => keys.includes(LETTERS)) : undefined;
}

/** Runs the command of a key press and stops the event. Returns whether there was such a command. */
export function runKey<On>(
  commands: readonly KeyedCommand<On>[],
  on: On,
  event: KeyPress & Pick<Event, 'preventDefault'>,
  except?: readonly KeyedCommand<never>[],
): boolean {
  const command = commandOf(commands, event, except);
  if (command === undefined || command.when?.(on) === false) return false;
  event.preventDefault();
  command.run(on, nameOfKey(event));
  return true;
}

/** Returns the words of a command for the thing on which it acts. */
export function labelOf<On>({ label }: Command<On>, on: On): string {
  return typeof label === 'function' ? label(on) : label;
}
