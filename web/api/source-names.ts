import { shownAddress } from '../io/http/shown-url';
import type { FileSource, ReplicatedSource } from './sources';

/** Returns the name of a file, as it was given, without secrets. */
export function nameOfFile(source: FileSource): string {
  switch (source.kind) {
    case 'url':
      return shownAddress(source.url);
    case 'path':
      return source.path;
    case 'replicas':
      return nameOfReplicas(source, nameOfFile);
    case 'within':
      return `${nameOfFile(source.outer)}@${source.offset}`;
    case 'source':
      return source.source.name;
    case 'blob':
    case 'buffer':
      return source.name;
  }
}

/**
 * Returns the logical name of a file with replicas, or the names of all replicas. It is the same in whatever order they were given,
 * so that results of one file have one name.
 */
export function nameOfReplicas(
  { name, replicas }: ReplicatedSource,
  nameOf: (replica: ReplicatedSource['replicas'][number]) => string,
): string {
  return name ?? [...new Set(replicas.map(nameOf))].sort().join('|');
}
