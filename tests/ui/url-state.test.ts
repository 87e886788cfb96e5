import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedUrl } from '../../web/ui/state/address/typed-url';
import { formatPageState, parsePageState, readableUrl } from '../../web/ui/state/address/url-state';

const base = 'https://portal.example/view/';

describe('page state', () => {
  it('comes back as it was written, whatever is in it', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.record({ url: text, tree: text, draw: text, cut: text, item: text }, { requiredKeys: [] }),
        (state) => {
          expect(parsePageState(formatPageState(state))).toEqual(state);
        },
      ),
    );
  });

  it('takes the address of a JSROOT link', () => {
    expect(parsePageState('?file=https://h/f.root&item=dir/h;1&opt=colz')).toEqual({
      url: 'https://h/f.root',
      item: 'dir/h;1',
    });
    expect(parsePageState('?file=b&url=a')).toEqual({ url: 'a' });
  });

  it('drops fields that are empty or too long, and keeps the others', () => {
    expect(parsePageState('?tree=t&draw=y:x&cut=&opt=prof')).toEqual({ tree: 't', draw: 'y:x', opt: 'prof' });
    expect(parsePageState('?draw=x&cut=y>2&opt=lego')).toEqual({ draw: 'x', cut: 'y>2' });
    expect(parsePageState(`?url=a&tree=&draw=${'x'.repeat(9000)}&other=1`)).toEqual({ url: 'a' });
    expect(formatPageState({})).toBe('');
  });
});

describe('readableUrl', () => {
  it('leaves absolute addresses as they are, to the last character', () => {
    const signed = 'https://s3.example/b/My File.root?X-Sig=a%2Fb+c&x=%7E';
    expect(readableUrl(signed, base)).toBe(signed);
  });

  it.each([
    ['data/f.root', 'https://portal.example/view/data/f.root'],
    ['/f.root', 'https://portal.example/f.root'],
    ['  ../f.root ', 'https://portal.example/f.root'],
    ['sample.root', 'https://portal.example/view/sample.root'],
    ['jane.li/run1.root', 'https://portal.example/view/jane.li/run1.root'],
    ['data.v2/run1.root', 'https://portal.example/view/data.v2/run1.root'],
    ['//files.example.org/f.root', 'https://files.example.org/f.root'],
    ['davs://files.example.org/f.root', 'https://files.example.org/f.root'],
  ])('takes %s as %s, as a browser does', (given, url) => {
    expect(readableUrl(given, base)).toBe(url);
  });

  it.each([
    ['files.example.org/a/f.root', 'https://files.example.org/a/f.root'],
    ['localhost.localdomain:8000/f.root', 'https://localhost.localdomain:8000/f.root'],
    ['localhost:8601/x.root', 'http://localhost:8601/x.root'],
    ['127.0.0.1:8601/files/x.root', 'http://127.0.0.1:8601/files/x.root'],
    ['192.168.0.7/x.root', 'http://192.168.0.7/x.root'],
    ['[::1]:8601/x.root', 'http://[::1]:8601/x.root'],
    ['mymachine:8580/a/x.root', 'http://mymachine:8580/a/x.root'],
    ['run.root/x.root', 'https://portal.example/view/run.root/x.root'],
    ['./jane.li/f.root', 'https://portal.example/view/jane.li/f.root'],
    ['data/f.root', 'https://portal.example/view/data/f.root'],
  ])('guesses that %s, typed into a field, is %s', (typed, url) => {
    expect(typedUrl(typed, base)).toBe(url);
  });

  it.each([
    '/home/me/x.root',
    '/Users/me/x.root',
    '~/x.root',
    'C:\\data\\x.root',
    'c:/data/x.root',
    'data\\x.root',
    '\\\\server\\share\\x.root',
  ])('says of %s, typed into a field, that a page cannot open paths', (typed) => {
    expect(() => typedUrl(typed, base)).toThrow(/a page cannot open paths/);
    expect(() => typedUrl(typed, base)).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('Drop the file') }),
    );
  });

  it.each([
    '/files/x.root',
    'https://host/home/x.root',
    '/eos/x.root',
    'https://host/a?path=C:\\x',
    'homes/x.root',
  ])('takes %s, typed into a field, for an address', (typed) => {
    expect(typedUrl(typed, base)).toBe(readableUrl(typed, base));
  });

  it.each([
    ['', /empty/],
    ['root://eospublic.cern.ch', /not an address of a file/],
    ['javascript:alert(1)', /javascript:/],
    ['file:///etc/passwd', /file:/],
    ['data:text/plain,x', /data:/],
    ['https://user:secret@host/f.root', /password/],
    ['https://', /not an address/],
    ['jane.li:8443/run1.root', /jane\.li:/],
  ])('refuses %s', (typed, message) => {
    expect(() => readableUrl(typed, base)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
    expect(() => readableUrl(typed, base)).toThrow(message);
  });

  it('does not repeat a password in its message', () => {
    expect(() => readableUrl('https://user:secret@host/f', base)).not.toThrow(/secret/);
  });
});
