import { XylemError } from '../base/errors';
import type { Context } from './context';

/** Writes text to a file, or to stdout where the target is "-". Throws IO. */
export async function writePicture(text: string, target: string, context: Context): Promise<void> {
  if (target === '-') {
    context.out.put(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(target, text);
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `"${target}" cannot be written.`, cause });
  }
  context.err.line(`written: ${target}`);
}
