import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';
import type { Point, Tab } from './driver';

/** The element that a story looks for, in the page or in an open shadow root. */
export interface Target {
  /** CSS selector. */
  css: string;
  /** The element's whole text, without blanks around it; undefined takes any. */
  text?: string;
  /** A part of the element's text. */
  has?: string;
}

/** Where an element is seen, and what it says. */
interface Seen extends Point {
  width: number;
  height: number;
  text: string;
  value: string | undefined;
}

const PATIENCE = { timeout: 30_000, interval: 100 };

/** The elements that fit and are laid out, in the order of the document. */
export async function find(tab: Tab, target: Target): Promise<Seen[]> {
  return look(tab, { ...target, scroll: false });
}

/** `scroll`: brings the first element into view, unless a pointer at its middle would be over it already. */
async function look(tab: Tab, target: Target & { scroll: boolean }): Promise<Seen[]> {
  return tab.run((wanted: Target & { scroll: boolean }) => {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
      }
    }
    const fits = (element: Element) => {
      const text = (element.textContent ?? '').trim();
      if (wanted.text !== undefined && text !== wanted.text) return false;
      if (wanted.has !== undefined && !text.includes(wanted.has)) return false;
      return element.getClientRects().length > 0;
    };
    const found = roots.flatMap((root) => [...root.querySelectorAll(wanted.css)]).filter(fits);
    const [first] = found;
    if (wanted.scroll && first !== undefined) {
      const { left, top, width, height } = first.getBoundingClientRect();
      const root = first.getRootNode() as Document | ShadowRoot;
      const hit = root.elementFromPoint(left + width / 2, top + height / 2);
      if (hit === null || !first.contains(hit)) first.scrollIntoView({ block: 'center' });
    }
    return found.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const text = (element.textContent ?? '').trim();
      const value = element instanceof HTMLInputElement ? element.value : undefined;
      return { x: left + width / 2, y: top + height / 2, width, height, text, value };
    });
  }, target);
}

/** Waits until the element is seen, and returns it. */
export async function see(tab: Tab, target: Target): Promise<Seen> {
  await expect
    .poll(async () => (await find(tab, target)).length, { ...PATIENCE, message: words(target) })
    .not.toBe(0);
  const [seen] = await find(tab, target);
  if (seen === undefined) return see(tab, target);
  return seen;
}

/** Waits until no such element is seen. */
export async function seeNo(tab: Tab, target: Target): Promise<void> {
  await expect
    .poll(async () => (await find(tab, target)).length, { ...PATIENCE, message: `no ${words(target)}` })
    .toBe(0);
}

/** Waits until `read` gives what is expected. */
export async function seeThat<T>(
  what: string,
  read: () => Promise<T>,
  check: (value: T) => boolean,
): Promise<T> {
  let value = await read();
  const readAgain = async () => {
    value = await read();
    return check(value);
  };
  await expect.poll(readAgain, { ...PATIENCE, message: what }).toBe(true);
  return value;
}

/** Waits until the element is seen, brings it into view, and returns where it is. */
export async function reach(tab: Tab, target: Target): Promise<Seen> {
  await see(tab, target);
  const [seen] = await look(tab, { ...target, scroll: true });
  return seen ?? reach(tab, target);
}

export async function click(tab: Tab, target: Target): Promise<void> {
  await tab.click(await reach(tab, target));
}

/** Clicks into a field, replaces its text, and presses Enter when told to. */
export async function fill(tab: Tab, target: Target, text: string, key?: string): Promise<void> {
  await click(tab, target);
  await tab.press('Control+a');
  await tab.press('Backspace');
  await tab.type(text);
  if (key !== undefined) await tab.press(key);
}

/** Drops a file of the disk on the viewer, as from a file manager. */
export async function drop(tab: Tab, path: string): Promise<void> {
  await see(tab, { css: '.xylem' });
  const file = { base64: readFileSync(path).toString('base64'), name: basename(path) };
  const dropped = () =>
    tab.run(({ base64, name }: { base64: string; name: string }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name));
      const send = (type: string): boolean => {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
        document.querySelector('.xylem')?.dispatchEvent(event);
        return event.defaultPrevented;
      };
      send('dragenter');
      // A page that does not listen yet takes no drop.
      return send('dragover') && send('drop');
    }, file);
  await expect.poll(dropped, { ...PATIENCE, message: 'a page that takes the file' }).toBe(true);
}

/**
 * Waits until the line of the statistics below a plot, "Entries" or "Mean", has the expected number; a plot that is
 * still being filled has smaller ones. Returns the number.
 */
export async function statistic(
  tab: Tab,
  label: string,
  expected: (value: number) => boolean = (value) => value > 0,
): Promise<number> {
  const read = async () => {
    const { text } = await see(tab, { css: '.stats > div', has: label });
    return Number(
      text
        .slice(text.indexOf(label) + label.length)
        .replaceAll(',', '')
        .replace('−', '-'),
    );
  };
  return seeThat(`the statistic ${label}`, read, expected);
}

/** The number of different colours among some thousand pixels of a canvas. */
export async function coloursOf(tab: Tab, css: string): Promise<number> {
  return tab.run((selector: string) => {
    const canvas = document.querySelector(selector);
    if (!(canvas instanceof HTMLCanvasElement) || canvas.width * canvas.height === 0) return 0;
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    const words = new Uint32Array(data?.buffer ?? new ArrayBuffer(0));
    const seen = new Set<number>();
    for (let i = 0; i < words.length; i += 97) if ((words[i] ?? 0) !== 0) seen.add(words[i] ?? 0);
    return seen.size;
  }, css);
}

/** A target in words, for the message of a story that did not find it. */
function words({ css, text, has }: Target): string {
  return `${css}${text === undefined ? '' : ` "${text}"`}${has === undefined ? '' : ` with "${has}"`}`;
}
