/**
 * An action of the user. There is one list of commands for each place that listens for keys. The palette, the help
 * and the keys all use these lists. `On` is the object of a command: the viewer, its contents, or a table.
 */
export interface Command<On> {
  id: string;
  /** The label in the palette and in the help. It begins with a capital letter. */
  label: string | ((on: On) => string);
  /** Kind of the target in the palette: "Branch", "View", "Do". */
  kind: string;
  /** Further words by which it is found. */
  words?: string | undefined;
  /** The title of something in the file, by which it is found, too; then it is shown. */
  title?: string | undefined;
  /**
   * Keys as named by events, with `Control+` in front if it is held (on Apple computers the command key). See
   * `LETTERS`.
   */
  keys?: readonly string[] | undefined;
  /** Whether its label is the path of something in the file. The last part of a path says most. */
  isPath?: boolean | undefined;
  /** Whether it leads elsewhere, so that the keyboard focus moves there. */
  goes?: boolean | undefined;
  /** Whether it is available now. Default: always. */
  when?(on: On): boolean;
  /** `key` is the one of `keys` that was pressed, or the letter. */
  run(on: On, key?: string): void;
}

/** A command with keys. Its label and words do not change, because the help lists them. */
export interface KeyedCommand<On> extends Command<On> {
  label: string;
  keys: readonly string[];
}

/** In `keys`: every key that writes a character, except those of the viewer. */
export const LETTERS = 'a … z';

/** Whether the keyboard has a command key instead of Ctrl. */
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

/** Members of an event that identify the key. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & { shiftKey?: boolean };

/** Returns a key in the form of `Command.keys`; undefined if it has a modifier that no command uses. */
export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey = false }: KeyPress): string | undefined {
  if (altKey) return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (!ctrlKey && !metaKey) return key;
  return shiftKey && /^[a-z]$/.test(name) ? `Control+Shift+${name}` : `Control+${name}`;
}

/** Returns the command for a key press, or undefined. The keys of the commands in `except` are ignored. */
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

/** Returns the label of a command for its object. */
export function labelOf<On>({ label }: Command<On>, on: On): string {
  return typeof label === 'function' ? label(on) : label;
}
