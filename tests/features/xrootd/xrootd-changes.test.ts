// A file that another one replaces while it is read, and copies of it on other servers.
import { expect, test } from 'vitest';
import { XylemError } from '../../../web/base/errors';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { readSound } from '../../../web/io/doubt';
import { createByteReader } from '../../../web/io/fetch/reader';
import { CODE, int, opened, READ, startScripted, usual } from '../../servers/scripted-xrootd';
import { codes, content, NO_STATE, serve, servers } from './scripted-content';

test('a copy on another server may have another time, but not another start', async () => {
  for (const isCopy of [true, false]) {
    const copied = Uint8Array.from(content);
    if (!isCopy) copied[50] = 255 - (content[50] ?? 0);
    const first = await serve(({ code, body, socket }) => {
      if (code !== READ || Number(body.readBigInt64BE(4)) === 0) return undefined;
      socket.destroy();
      return 'none';
    });
    const second = await serve((asked) =>
      asked.code === CODE.open ? [0, opened(content.length, 6)] : usual(asked, copied),
    );
    const places = [first, second];
    const redirector = await serve(({ code }) =>
      code === CODE.open ? [4004, int((places.shift() ?? second).port, '127.0.0.1')] : undefined,
    );
    const source = createXrootdSource(redirector.url);
    expect(await source.read(0, 300)).toEqual(content.slice(0, 300));
    const found = await source.read(500, 50).catch((thrown: unknown) => thrown);
    if (isCopy) expect(found).toEqual(content.slice(500, 550));
    else expect(found).toMatchObject({ code: 'FILE_CHANGED' });
    await source.close?.();
  }
});

test('a file that is written over while it is read is FILE_CHANGED when the server is asked', async () => {
  let changed = 5;
  const server = await serve(({ code }) =>
    code === CODE.stat ? [0, Buffer.from(`1 ${content.length} 0 ${changed}\0`)] : undefined,
  );
  const source = createXrootdSource(server.url);
  await source.read(0, 5);
  expect(await source.read(10, 10)).toEqual(content.slice(10, 20));
  changed = 6;
  await expect(source.read(10, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  const ranges = [10, 5000].map((offset) => ({ offset, length: 10 }));
  await expect(source.readParts?.(ranges, () => {})).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await source.close?.();
  // The state comes with the bytes, at no round trip.
  expect(server.packets).toBe(4);
  // A server that does not tell it is read from all the same.
  const silent = await serve(({ code }) => (code === CODE.stat ? NO_STATE : undefined));
  const read = createXrootdSource(silent.url);
  for (const at of [0, 10, 20]) expect(await read.read(at, 5)).toEqual(content.slice(at, at + 5));
  expect(codes(silent).filter((code) => code === CODE.stat)).toHaveLength(2);
  await read.close?.();
});

test('one error of a question for the state does not end the watch for changes', async () => {
  let [changed, errors] = [5, 0];
  const server = await serve(({ code }) => {
    if (code !== CODE.stat) return undefined;
    if (errors++ === 0) return [4003, Buffer.from('\0\0\x0b\xbfonce\0', 'latin1')];
    return [0, Buffer.from(`1 ${content.length} 0 ${changed}\0`)];
  });
  const source = createXrootdSource(server.url);
  for (const at of [0, 10]) expect(await source.read(at, 5)).toEqual(content.slice(at, at + 5));
  changed = 6;
  await expect(source.read(10, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await source.close?.();
  // A server that fails each time is not believed.
  const failing = await serve(({ code }) =>
    code === CODE.stat ? [4003, Buffer.from('\0\0\x0b\xbfno\0', 'latin1')] : undefined,
  );
  const read = createXrootdSource(failing.url);
  await read.read(0, 5);
  await expect(read.read(10, 10)).rejects.toMatchObject({ code: 'IO' });
  await read.close?.();
});

test('a read that is sent to another server is asked for from the beginning of the way', async () => {
  for (const times of [1, 100]) {
    let left = times;
    const server = await serve(({ code, body }, { port }) =>
      code === READ && Number(body.readBigInt64BE(4)) > 0 && left-- > 0
        ? [4004, int(port, '127.0.0.1')]
        : undefined,
    );
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    const found = await source.read(10, 10).catch((thrown: unknown) => thrown);
    if (times === 1) expect(found).toEqual(content.slice(10, 20));
    else expect(found).toMatchObject({ code: 'NETWORK', message: /redirected to/ });
    await source.close?.();
  }
});

test('a file that is another one after the connection was lost is FILE_CHANGED for all its readers', async () => {
  let opens = 0;
  const server = await serve(({ code, body, socket }) => {
    if (code === CODE.open) return [0, opened(content.length, opens++ === 0 ? 1 : 2)];
    if (code !== READ || opens > 1 || Number(body.readBigInt64BE(4)) === 0) return undefined;
    socket.destroy();
    return 'none';
  });
  const source = createXrootdSource(server.url);
  await source.read(0, 5);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => source.read(10, 10)));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'FILE_CHANGED' } });
  await source.close?.();
});

test('a file written over within one second is FILE_CHANGED, not damage, once its bytes cannot be decoded', async () => {
  for (const [kept, code] of [
    [0, 'FILE_CHANGED'],
    // The same start: nothing tells it from damage.
    [5000, 'CORRUPT'],
  ] as const) {
    let now = content;
    const server = await startScripted((asked) => usual(asked, now));
    servers.push(server);
    const reader = createByteReader(createXrootdSource(server.url));
    await reader.read([{ offset: 0, length: 300 }]);
    now = content.map((byte, i) => (i < kept ? byte : 255 - byte));
    const decode = ([bytes]: Uint8Array[]) => {
      if (bytes?.[0] === content[6000]) return 'sound';
      throw new XylemError({ code: 'CORRUPT', message: 'This is no basket.' });
    };
    const reading = readSound(reader, [{ offset: 6000, length: 100 }], {}, decode);
    await expect(reading).rejects.toMatchObject({ code });
    await reader.close();
  }
});
