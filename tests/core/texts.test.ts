import { expect, test } from 'vitest';
import { readTexts } from '../../web/core/tape';

/** The texts as the core lays them out. */
function laidOut(texts: Uint8Array[]) {
  const ends = new Int32Array(texts.length);
  let end = 0;
  texts.forEach((text, i) => {
    end += text.length;
    ends[i] = end;
  });
  const text = new Uint8Array(end);
  texts.forEach((one, i) => {
    text.set(one, (ends[i] ?? 0) - one.length);
  });
  return { text, ends };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

test('ASCII names, empty ones among them', () => {
  expect(readTexts(laidOut(['Muon_pt', '', 'run', ''].map(utf8)))).toEqual(['Muon_pt', '', 'run', '']);
  expect(readTexts(laidOut([]))).toEqual([]);
});

test('a name of more bytes than letters does not shift the others', () => {
  expect(readTexts(laidOut(['a', 'η in the detector', 'b'].map(utf8)))).toEqual([
    'a',
    'η in the detector',
    'b',
  ]);
});

test('a title in latin-1 leaves the UTF-8 of the others', () => {
  const texts = [utf8('η'), new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65]), utf8('b')];
  expect(readTexts(laidOut(texts))).toEqual(['η', 'Größe', 'b']);
});
