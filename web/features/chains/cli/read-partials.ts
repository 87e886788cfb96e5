import { createReadStream } from 'node:fs';
import { XylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { ioError } from '../../../base/io-error';
import { UsageError } from '../../../cli/arguments';
import type { OwnFiles } from '../../../cli/own-files';
import { sourceOf } from '../../../cli/targets';

/** Longest line in characters. A text of JavaScript has at most 536,870,888, so no result is longer. */
const MAX_LINE = 500_000_000;

/**
 * Yields partial results as texts: a file has one on each line. A name is a path, a pattern, "@list.txt", or "-" for
 * stdin. Throws IO, NOT_FOUND, and BUDGET for a line that is too long. `isLiving`: standard input belongs to another program.
 */
export async function* readPartials(
  names: readonly string[],
  files: OwnFiles,
  maxLine = MAX_LINE,
  isLiving = false,
): AsyncGenerator<{ text: string; name: string }, void, undefined> {
  for (const target of names) {
    for (const path of target === '-' ? [undefined] : await pathsOf(target, files)) {
      const name = path ?? 'stdin';
      if (path === undefined && isLiving)
        throw new UsageError('A command line that was sent cannot read standard input: name a file.');
      const stream = path === undefined ? process.stdin : createReadStream(path);
      try {
        for await (const text of linesOf(stream.setEncoding('utf8'), name, maxLine)) yield { text, name };
      } catch (thrown) {
        if (thrown instanceof XylemError || !(thrown instanceof Error && 'code' in thrown)) throw thrown;
        throw ioError(`"${name}" cannot be read`, thrown, name);
      }
    }
  }
}

/** The lines that are not blank of a text that comes in pieces. Each piece is searched once, however long a line is. */
async function* linesOf(
  stream: AsyncIterable<unknown>,
  name: string,
  maxLine: number,
): AsyncGenerator<string, void, undefined> {
  let begun: string[] = [];
  let length = 0;
  for await (const piece of stream) {
    const text = String(piece);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = begun.join('') + text.slice(from, end);
      if (line.trim() !== '') yield line;
      [begun, length, from] = [[], 0, end + 1];
    }
    begun.push(text.slice(from));
    length += text.length - from;
    if (length > maxLine) {
      throw new XylemError({
        code: 'BUDGET',
        message: `"${name}" has a line of more than ${formatCount(maxLine)} characters, which is no partial result.`,
        where: { path: name },
      });
    }
  }
  const last = begun.join('');
  if (last.trim() !== '') yield last;
}

async function pathsOf(target: string, files: OwnFiles): Promise<string[]> {
  const { source } = await sourceOf(target, {}, files);
  const parts = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
  return parts.map((part) => {
    if (part.kind === 'path') return part.path;
    throw new UsageError('Partial results are read from files on this machine; fetch them first.');
  });
}
