import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { otherFile, unknownFile } from '../../web/model/other-files';
import { openReader } from '../../web/node';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';
import { startRangeServer } from '../servers/range-server';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const latin = (content: string): Uint8Array => Uint8Array.from(Buffer.from(content, 'latin1'));
const zeros = (bytes: number): string => '\0'.repeat(bytes);

const files: [string, Uint8Array, RegExp, RegExp][] = [
  ['nothing', new Uint8Array(0), /empty/, /Copy it again/],
  ['a ZIP archive', latin(`PK\x03\x04${zeros(400)}`), /ZIP archive/, /Unpack it/],
  ['numpy.savez', latin(`PK\x03\x04${zeros(26)}x_offsets.npy${zeros(40)}`), /numpy \(NPZ\)/, /numpy\.load/],
  ['gzip', Uint8Array.from(gzipSync('root')), /gzip/, /gunzip/],
  ['xz', latin('\xfd7zXZ\0\0\x04'), /xz/, /unxz/],
  ['zstd', latin('\x28\xb5\x2f\xfd\x04'), /zstd/, /unzstd/],
  ['tar', latin(`run1.root${zeros(248)}ustar\0`), /tar archive/, /Unpack/],
  ['HDF5', latin('\x89HDF\r\n\x1a\n\0\0'), /HDF5/, /h5web/],
  ['Parquet', latin('PAR1\x15\x04'), /Parquet/, /pyarrow/],
  ['Arrow', latin('ARROW1\0\0'), /Arrow/, /pyarrow/],
  ['numpy.save', latin('\x93NUMPY\x01\0'), /numpy/, /numpy\.load/],
  ['HTML', text('\ufeff\n <!DOCTYPE html><title>404</title>'), /web page/, /open the address in a tab/],
  ['an error of S3', text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'), /XML/, /tab/],
  ['JSON', text('{"message": "Not Found"}'), /JSON/, /the file itself/],
  ['a letter', text('This is not a ROOT file, but a letter: ü €.'), /but text/, /the file itself/],
  ['a list of users', text(`root:x:0:0:root:/root:/bin/bash\n`.repeat(20)), /but text/, /the file itself/],
  ['Git LFS', text('version https://git-lfs.github.com/spec/v1\noid sha256:1\n'), /Git LFS/, /git lfs pull/],
  ['git-annex', text('/annex/objects/SHA256E-s1--1.root\n'), /git-annex/, /git annex get/],
  ['a hole', new Uint8Array(5000), /begins with zeros/, /Copy it again/],
  ['something', latin('\x01\x02\xfe\xff\0\0\0\0\0'), /bytes 01 02 fe ff 00 00 00 00/, /encrypted/],
  ['one byte', latin('r'), /but text/, /the file itself/],
];

test.each(files)('%s is named', async (_, bytes, message, fix) => {
  const error = otherFile(bytes) ?? unknownFile(bytes);
  expect(error).toMatchObject({ code: 'NOT_ROOT' });
  expect(error?.message).toMatch(message);
  expect(error?.fix).toMatch(fix);
  const engine = await makeEngine();
  await expect(engine.open(bufferSpec('x.root', bytes))).rejects.toMatchObject({
    code: 'NOT_ROOT',
    message: error?.message,
  });
});

test('over HTTP, too', async () => {
  const reader = await openReader({ workers: 0 });
  for (const [, bytes, message] of files) {
    const server = await startRangeServer(bytes);
    const opening = reader.open({ kind: 'url', url: server.url });
    await expect(opening).rejects.toMatchObject({
      code: 'NOT_ROOT',
      message: expect.stringMatching(message),
    });
    await server.close();
  }
  reader.terminate();
});

test('a ROOT file is not taken for one of them', () => {
  const bytes = fixtureBytes('codec_none');
  expect(otherFile(bytes) ?? unknownFile(bytes)).toBeUndefined();
});
