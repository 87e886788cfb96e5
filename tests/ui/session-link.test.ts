import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { linkText } from '../../web/features/writer/view/link-text';
import type { ReadRecord } from '../../web/io/trace';
import { createSessionLink } from '../../web/ui/state/address/session-link';
import type { OpenFile } from '../../web/ui/state/viewer-state';

const fileAt = (url: string) => ({ source: { kind: 'url', url } }) as OpenFile;

/** Requests one after the other, each answered after `latency` ms with 50 kB in `body` ms. */
const requests = (count: number, latency: number, body: number): ReadRecord[] =>
  Array.from({ length: count }, (_, i) => {
    const started = i * 1000;
    const answered = started + latency;
    const times = { started, answered, done: answered + body };
    return { origin: 'network', failed: false, got: 50_000, ...times } as unknown as ReadRecord;
  });

describe('the link of a session', () => {
  const tree = fileAt('https://data.example/a.root');
  const file = signal<OpenFile | null>(tree);

  it('is not told by few requests, and then is one for all views and files of the server', async () => {
    const link = createSessionLink(file);
    await link.learn(tree, requests(2, 18, 10));
    expect(link.link.value).toBeUndefined();
    await link.learn(tree, requests(4, 18, 10));
    const first = link.link.value;
    expect(first).toEqual({ latencyMs: 18, bytesPerMs: 5000 });
    // Later and faster reads of another view, and of another file of the server, say the same.
    expect(link.wants(tree)).toBe(false);
    await link.learn(tree, requests(40, 6, 2));
    file.value = fileAt('https://data.example/sub/b.root');
    expect(link.link.value).toBe(first);
    file.value = fileAt('https://other.example/a.root');
    expect(link.link.value).toBeUndefined();
    file.value = tree;
  });

  it('is what was measured, where the server was asked', async () => {
    const link = createSessionLink(file);
    await link.learn(tree, requests(4, 18, 10));
    link.measured(tree, { latencyMs: 6, manyConnections: { bytes: 8_000_000, ms: 80 } });
    expect(link.link.value).toEqual({ latencyMs: 6, bytesPerMs: 100_000 });
  });

  it('is said with two digits', () => {
    expect(linkText({ latencyMs: 18.37, bytesPerMs: 4812 })).toBe(
      'a link as this one (about 18 ms, 38 Mbit/s)',
    );
    expect(linkText({ latencyMs: 148.9, bytesPerMs: 26_789 })).toMatch(/about 150 ms, 210 Mbit/);
  });

  it('is none for a file of the disk', () => {
    const blob = { source: { kind: 'blob' } } as OpenFile;
    expect(createSessionLink(signal<OpenFile | null>(blob)).wants(blob)).toBe(false);
  });
});
