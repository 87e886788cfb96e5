import { toXylemError } from '../base/errors';
import * as features from '../features/page';
import type { DocumentFrom, Documents, PagePart } from './part';
import type { ViewerStore } from './state/viewer-state';

/** A place that a document was found at, and the kind of documents. */
interface Found {
  documents: Documents;
  from: DocumentFrom;
}

const kinds = (): Documents[] =>
  Object.values<PagePart>(features).flatMap(({ documents }) => documents ?? []);

/**
 * Opens a file or an address that is a document of a feature, or the one that the page's address asks for. Returns whether
 * it is one. Shows the error if it cannot be opened.
 */
export async function openDocument(
  store: ViewerStore,
  wanted:
    | Exclude<DocumentFrom, { kind: 'text' }>
    | { kind: 'page'; location: Pick<Location, 'search' | 'hash'> },
  base: string,
): Promise<boolean> {
  const found = wanted.kind === 'page' ? inAddress(wanted.location) : named(wanted);
  if (found === undefined) return false;
  try {
    const open = await found.documents.load();
    await open(store, found.from, base);
  } catch (thrown) {
    store.files.fail(toXylemError(thrown).toRecord());
  }
  return true;
}

function named(from: Exclude<DocumentFrom, { kind: 'text' }>): Found | undefined {
  const name = from.kind === 'file' ? from.file.name : (from.url.split(/[?#]/, 1)[0] ?? '');
  const documents = kinds().find(({ ending }) => name.toLowerCase().endsWith(ending));
  return documents && { documents, from };
}

function inAddress({ search, hash }: Pick<Location, 'search' | 'hash'>): Found | undefined {
  const [, name = '', text = ''] = /^#(\w+)=([\w-]*)/.exec(hash) ?? [];
  const query = new URLSearchParams(search);
  for (const documents of kinds()) {
    if (documents.parameter === name) return { documents, from: { kind: 'text', text } };
    const url = query.get(documents.parameter);
    if (url !== null) return { documents, from: { kind: 'url', url } };
  }
  return undefined;
}
