import { createReadStream } from 'node:fs';
import { ioError } from '../../../base/io-error';
import { UsageError } from '../../arguments';
import { sourceOf } from '../../targets';

/**
 * Yields partial results as texts: a file has one on each line. A name is a path, a pattern, "@list.txt", or "-" for
 * stdin. Throws IO and NOT_FOUND.
 */
export async function* readPartials(
  names: readonly string[],
): AsyncGenerator<{ text: string; name: string }, void, undefined> {
  for (const target of names) {
    for (const path of target === '-' ? [undefined] : await pathsOf(target)) {
      const name = path ?? 'stdin';
      const stream = path === undefined ? process.stdin : createReadStream(path);
      let rest = '';
      try {
        for await (const chunk of stream.setEncoding('utf8')) {
          const lines = (rest + String(chunk)).split('\n');
          rest = lines.pop() ?? '';
          for (const text of lines) if (text.trim() !== '') yield { text, name };
        }
      } catch (thrown) {
        if (thrown instanceof Error && 'code' in thrown)
          throw ioError(`"${name}" cannot be read`, thrown, name);
        throw thrown;
      }
      if (rest.trim() !== '') yield { text: rest, name };
    }
  }
}

async function pathsOf(target: string): Promise<string[]> {
  const { source } = await sourceOf(target, {});
  const parts = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
  return parts.map((part) => {
    if (part.kind === 'path') return part.path;
    throw new UsageError('Partial results are read from files on this machine; fetch them first.');
  });
}
