import { shortened } from '../../base/text';
import { textWidth } from './text-width';

const GREEK =
  'alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ mu:μ nu:ν xi:ξ ' +
  'omicron:ο pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:φ chi:χ psi:ψ omega:ω varphi:ϕ varepsilon:ε vartheta:ϑ ' +
  'varsigma:ς Alpha:Α Beta:Β Epsilon:Ε Zeta:Ζ Eta:Η Iota:Ι Kappa:Κ Mu:Μ Nu:Ν Omicron:Ο Rho:Ρ Tau:Τ Chi:Χ ' +
  'Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Upsilon:Υ Phi:Φ Psi:Ψ Omega:Ω';
const SIGNS =
  'pm:± mp:∓ times:× cdot:· upoint:· leq:≤ geq:≥ neq:≠ approx:≈ sim:∼ cong:≅ equiv:≡ propto:∝ infty:∞ ' +
  'rightarrow:→ leftarrow:← uparrow:↑ downarrow:↓ leftrightarrow:↔ Rightarrow:⇒ Leftarrow:⇐ to:→ sum:∑ prod:∏ int:∫ downarrow:↓ Leftrightarrow:⇔ minus:− plus:+ oslash:ø Oslash:Ø subseteq:⊆ supseteq:⊇ ' +
  'partial:∂ nabla:∇ circ:° deg:° hbar:ℏ ell:ℓ perp:⊥ parallel:∥ prime:′ ast:∗ bullet:• odot:⊙ oplus:⊕ ' +
  'otimes:⊗ in:∈ notin:∉ subset:⊂ supset:⊃ cap:∩ cup:∪ wedge:∧ vee:∨ forall:∀ exists:∃ divide:÷ slash:/ ' +
  'LT:< GT:> backslash:\\ Box:□ angle:∠ Jgothic:ℑ Rgothic:ℜ aleph:ℵ AA:Å aa:å copyright:© ldots:… 3dots:…';
const symbols = new Map(`${GREEK} ${SIGNS}`.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Marks over a letter, as characters that join the one before them. */
const accents: Record<string, string> = {
  ...{ bar: '\u0304', hat: '\u0302', tilde: '\u0303', vec: '\u20d7', dot: '\u0307', ddot: '\u0308' },
  ...{ check: '\u030c', acute: '\u0301', grave: '\u0300' },
};

/** Commands whose argument is shown as it is. */
const PLAIN = /^(?:rm|mbox|url|left|right)$/;
/** Commands whose arguments stand on several levels, or look otherwise where a text is laid out for that. */
const LEVELS = /^(?:frac|splitline|sqrt|it|bf|font|color|kern|lower|scale)$/;

/** A raised or lowered part, or the arguments of a command: a fraction and two lines have a second one. */
export interface Level {
  command: string;
  option?: string;
  parts: Part[];
  second?: Part[];
}

/** A part of a title. */
export type Part = string | Level;

/** Whether a part is raised or lowered. */
export const isScript = ({ command }: Level): boolean => command === '^' || command === '_';

/** Arguments nested deeper than this are shown as source. */
const MAX_DEPTH = 12;
/** A longer title is cut. */
const MAX_LENGTH = 1000;

class Reader {
  #at = 0;

  constructor(readonly text: string) {}

  /** Reads to the end, or to the "}" that closes an argument. */
  parts(depth: number): Part[] {
    const parts: Part[] = [];
    let plain = '';
    const put = (part: Part): void => {
      if (typeof part === 'string') plain += part;
      else {
        if (plain !== '') parts.push(plain);
        plain = '';
        parts.push(part);
      }
    };
    let braces = 0;
    while (this.#at < this.text.length) {
      const sign = this.text[this.#at] ?? '';
      if (sign === '}' && depth > 0 && braces === 0) break;
      if (sign === '{') braces++;
      if (sign === '}') braces--;
      if ((sign === '^' || sign === '_') && this.text[this.#at + 1] === '{' && depth < MAX_DEPTH) {
        this.#at++;
        put({ command: sign, parts: this.#argument(depth) });
      } else if (sign === '#') for (const part of this.#command(depth)) put(part);
      else {
        plain += sign;
        this.#at++;
      }
    }
    if (plain !== '') parts.push(plain);
    return parts;
  }

  /** The content of braces, from the opening one on; empty when none opens. */
  #argument(depth: number): Part[] {
    if (this.text[this.#at] !== '{') return [];
    this.#at++;
    const parts = this.parts(depth + 1);
    this.#at++;
    return parts;
  }

  #command(depth: number): Part[] {
    const command = /^#(3dots|[A-Za-z]+|.)?(\[[^\]]{0,40}\])?/s.exec(
      this.text.slice(this.#at, this.#at + 80),
    );
    const name = command?.[1] ?? '';
    const option = command?.[2] ?? '';
    const known = symbols.get(name);
    if (known !== undefined) {
      this.#at += 1 + name.length;
      return [known];
    }
    const end = this.#at + 1 + name.length + option.length;
    const takes = this.text[end] === '{' && depth < MAX_DEPTH;
    if (takes && (PLAIN.test(name) || LEVELS.test(name) || name in accents)) {
      this.#at = end;
      const first = this.#argument(depth);
      const accent = accents[name];
      if (LEVELS.test(name)) {
        const second = name === 'frac' || name === 'splitline' ? this.#argument(depth) : [];
        return [{ command: name, option: option.slice(1, -1), parts: first, second }];
      }
      // A letter with its marks takes one more: each mark by itself would double the text at each level.
      return accent === undefined ? first : [plainOf(first).replace(/\P{M}\p{M}*/gu, `$&${accent}`)];
    }
    if (name === 'left' || name === 'right') {
      this.#at += 1 + name.length;
      return [];
    }
    // "#pix" is "πx", as ROOT reads it.
    for (let length = name.length - 1; length > 1; length--) {
      const first = symbols.get(name.slice(0, length));
      if (first === undefined) continue;
      this.#at += 1 + length;
      return [first];
    }
    const shown = this.text.slice(this.#at, this.#at + 1 + name.length);
    this.#at += Math.max(1, shown.length);
    return [shown];
  }
}

/** Reads a title of ROOT. */
export function partsOf(title: string): Part[] {
  return new Reader(shortened(title, MAX_LENGTH)).parts(0);
}

/** The parts on one line. */
function inLine(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || isScript(part)) return part;
    const { command, second = [] } = part;
    const first = inLine(part.parts);
    if (command === 'frac' || command === 'splitline')
      return [...first, command === 'frac' ? '/' : ' ', ...inLine(second)];
    if (command !== 'sqrt') return first;
    const sign = `${[...(part.option ?? '')].map((index) => raised[index] ?? index).join('')}√`;
    return plainOf(first).length > 1 ? [`${sign}(`, ...first, ')'] : [sign, ...first];
  });
}

const raised: Record<string, string> = {
  ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((sign, digit) => [String(digit), sign])),
  ...{ '+': '⁺', '-': '⁻', '−': '⁻' },
};

function plainOf(parts: readonly Part[]): string {
  return inLine(parts)
    .map((part) => {
      if (typeof part === 'string') return part;
      const inner = plainOf(part.parts);
      const power = part.command === '^' && /^[+\-−]?\d*$/.test(inner);
      return power ? [...inner].map((sign) => raised[sign] ?? sign).join('') : part.command + inner;
    })
    .join('');
}

/**
 * Converts a ROOT title (TLatex) to plain text: symbols become characters, integer powers are raised, other scripts
 * keep their "_" or "^", font commands are removed.
 */
export function readableLatex(title: string): string {
  return /[#^_]/.test(title) ? plainOf(partsOf(title)) : shortened(title, MAX_LENGTH);
}

/** A piece of a line of text. Lengths are in units of the size of the line. */
export interface TextRun {
  text: string;
  /** Size relative to the line. */
  size: number;
  /** Height above the line. */
  up: number;
  /** Distance by which it begins to the left of the end of the previous piece. */
  back: number;
}

/** Size of superscripts and subscripts, and their distance from the line. */
const SCRIPT = 0.72;
const UP = 0.42;
const DOWN = -0.2;

/**
 * Splits a ROOT title into pieces to draw one after another. A subscript directly after a superscript, or vice versa,
 * is drawn below (above) it.
 */
export function titleRuns(title: string): TextRun[] {
  const runs: TextRun[] = [];
  let owed = 0;
  const put = (parts: readonly Part[], size: number, up: number): number => {
    let width = 0;
    let before: { command: string; width: number } | undefined;
    for (const part of inLine(parts)) {
      if (typeof part === 'string') {
        runs.push({ text: part, size, up, back: -owed });
        owed = 0;
        width += textWidth(part, size);
        before = undefined;
        continue;
      }
      const stacked = before !== undefined && before.command !== part.command ? before.width : 0;
      owed -= stacked;
      const shift = (part.command === '^' ? UP : DOWN) * size;
      const own = put(part.parts, size * SCRIPT, up + shift);
      const rest = Math.max(0, stacked - own);
      owed += rest;
      width += own - stacked + rest;
      before = stacked > 0 ? undefined : { command: part.command, width: own };
    }
    return width;
  };
  put(partsOf(title), 1, 0);
  return runs;
}

/** Width of a title in units of its size, estimated without a font. */
export function titleWidth(title: string): number {
  if (!/[#^_]/.test(title)) return textWidth(title, 1);
  return titleRuns(title).reduce((sum, { text, size, back }) => sum + textWidth(text, size) - back, 0);
}

/** Returns the title, or its beginning and "…" if it is wider than that many units of its size. */
export function fittedTitle(title: string, width: number): string {
  if (titleWidth(title) <= width) return title;
  // Cut as plain text: a part of a formula would mean something else.
  const letters = [...readableLatex(title)];
  let used = textWidth('…', 1);
  let end = 0;
  while (end < letters.length) {
    used += textWidth(letters[end] ?? '', 1);
    if (used > width) break;
    end++;
  }
  return `${letters.slice(0, end).join('').trimEnd()}…`;
}

/** Shortens a name to a width in its middle, because similar names often differ only at their ends. */
export function fittedName(name: string, width: number): string {
  if (titleWidth(name) <= width) return name;
  const letters = [...readableLatex(name)];
  let left = width - textWidth('…', 1);
  let [from, to] = [0, letters.length];
  while (from < to) {
    // Alternately a letter of the start and one of the end.
    const isStart = from <= letters.length - to;
    left -= textWidth(letters[isStart ? from : to - 1] ?? '', 1);
    if (left < 0) break;
    if (isStart) from++;
    else to--;
  }
  return `${letters.slice(0, from).join('').trimEnd()}…${letters.slice(to).join('').trimStart()}`;
}

/**
 * Breaks a title into at most `most` lines of a width, as plain text if there are several; none for an empty title. The last
 * line is shortened in its middle.
 */
export function titleLines(title: string, width: number, most: number): string[] {
  if (title === '') return [];
  if (titleWidth(title) <= width) return [title];
  let rest = readableLatex(title).trimEnd();
  const lines: string[] = [];
  while (lines.length + 1 < most && textWidth(rest, 1) > width) {
    const end = lineEnd(rest, width);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? lines : [...lines, fittedName(rest, width)];
}

/** Returns where a line of this width ends: after a space, a sign or a letter that joins words, if there is one in its second half. */
function lineEnd(text: string, width: number): number {
  let used = 0;
  let end = 0;
  for (const letter of text) {
    used += textWidth(letter, 1);
    if (used > width && end > 0) break;
    end += letter.length;
  }
  for (const joint of [/[\s,/&|]/, /[_.)\]}]/])
    for (let at = end; at > end / 2; at--)
      if (joint.test(text[at - 1] ?? '') && !/[\s&|]/.test(text[at] ?? '')) return at;
  return end;
}
