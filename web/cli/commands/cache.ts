import type { CacheInfo, ReaderApi } from '../../api/api';
import { XylemError } from '../../base/errors';
import { formatBytes } from '../../base/format';
import { shownAddress } from '../../io/http/shown-url';
import { parseBytes, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, progressLine, withFile } from '../context';
import { alignOption, headerOption, helpOption, jsonOption } from '../options';
import { right, tableLines } from '../terminal/table';

export const cache = command({
  usage: ['[list]', 'clear [URL]', 'keep URL', 'limit [SIZE]'],
  about: `Files read from URLs are kept on this machine as far as they were read, the least recently used dropped
first: in the folder xylem in the caches of this user (XDG_CACHE_HOME).

  list    what is kept, the default
  clear   drops what is kept, of one file or of all
  keep    fetches a whole file, so that it opens without its server
  limit   bounds all that is kept by SIZE: 500MB, 20GB, 0; without one as it is at first, 4 GB and no more than
          a fifth of what is free on the disk`,
  examples: [
    ['list', 'the files of which bytes are kept'],
    ['clear', 'removes everything that is kept'],
  ],
  options: { ...jsonOption, ...headerOption, ...alignOption, ...helpOption },
  json: '{"place", "bytes", "maxBytes", "files": [{"key", "name", "bytes", "used"}, …]}',
  async run(given, [what = 'list', url], context) {
    if (what === 'keep') {
      if (url === undefined) throw new UsageError('Name the URL to keep.');
      return await withFile(url, given, context, async ({ reader, info }) => {
        const progress = progressLine(context);
        await reader.keepOffline(info.id, { onProgress: progress.show });
        await progress.wipe();
        context.err.line(`kept: ${info.name}, ${formatBytes(info.size)}`);
        return 0;
      });
    }
    const reader = await context.reader();
    const kept = await infoOf(reader);
    if (what === 'clear') return await clear(reader, kept, url, context);
    if (what === 'limit') {
      await reader.limitCache(url === undefined ? undefined : parseBytes(url));
      list(await changed(reader), given.json === true, context);
      return 0;
    }
    if (what !== 'list' || url !== undefined) {
      throw new UsageError(`"${what}" is not one of list, clear, keep, limit.`);
    }
    list(kept, given.json === true, context);
    return 0;
  },
});

async function infoOf(reader: ReaderApi): Promise<CacheInfo> {
  const info = await reader.cacheInfo();
  if (info) return info;
  throw new XylemError({ code: 'IO', message: 'This reader has no cache on this machine.' });
}

/** The cache after a change. Throws IO when it was refused. */
async function changed(reader: ReaderApi): Promise<CacheInfo> {
  const info = await infoOf(reader);
  if (info.notice === undefined) return info;
  throw new XylemError({ code: 'IO', message: info.notice, fix: 'Check who may write to this folder.' });
}

async function clear(
  reader: ReaderApi,
  kept: CacheInfo,
  url: string | undefined,
  { err }: Context,
): Promise<number> {
  // Files are listed by their address without its query, which may be secret.
  const shown = url === undefined ? undefined : shownAddress(url);
  const files =
    url === undefined ? kept.files : kept.files.filter(({ name }) => name === url || name === shown);
  if (url !== undefined && files.length === 0) {
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `Nothing is kept of "${shown}".`,
      fix: '"xylem cache" lists what is kept.',
    });
  }
  if (url === undefined) await reader.clearCache();
  else for (const { key } of files) await reader.clearCache(key);
  await changed(reader);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  err.line(`cleared: ${formatBytes(bytes)}`);
  return 0;
}

function list(kept: CacheInfo, json: boolean, { out }: Context): void {
  if (json) {
    out.line(JSON.stringify(kept));
    return;
  }
  const { place, bytes, maxBytes, files, notice } = kept;
  out.line(`${place}: ${formatBytes(bytes)} of at most ${formatBytes(maxBytes)}`);
  if (notice !== undefined) out.line(notice);
  if (files.length === 0) return;
  out.line();
  const columns = [right('Kept'), 'Last read', 'File'];
  const rows = files.map(({ name, bytes: size, used }) => [
    formatBytes(size),
    new Date(used).toISOString().slice(0, 16).replace('T', ' '),
    name,
  ]);
  for (const line of tableLines(columns, rows)) out.line(line);
}
