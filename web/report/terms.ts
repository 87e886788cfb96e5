/**
 * Words in tables and figures that need an explanation, as in docs/glossary.md. A test compares them with the words
 * that are shown.
 */
export const terms = {
  Entries: 'Of a tree: its rows, often events. Of a histogram: the values that were filled into it.',
  Branches: 'Columns of a tree. A branch may hold others.',
  Baskets:
    'The units in which a tree stores a branch: the values of consecutive entries, compressed together.',
  Pages: 'The units in which an RNTuple stores a column.',
  'Mean size': 'Stored bytes of a basket or a page on average.',
  Compressed: 'Bytes as they are stored in the file.',
  Stored: 'Bytes as they are stored in the file, compressed.',
  Uncompressed: 'Bytes after decompression, as a reader has them in memory.',
  'Compression factor': 'Uncompressed bytes divided by stored bytes: 2 means half the size.',
  Factor: 'Uncompressed bytes divided by stored bytes: 2 means half the size.',
  Clusters:
    'Ranges of entries whose baskets or pages were written together, so that they are read together well.',
  'Clusters claimed':
    "The clusters that the tree's record claims and ROOT's readers go by. The baskets have others: see True clusters.",
  'True clusters':
    'The clusters that the baskets really have: one begins wherever a basket begins or ends and no other basket has entries on both sides.',
  AutoFlush: 'After how many bytes or entries ROOT writes the baskets of all branches together (fAutoFlush).',
  'AutoFlush, entries':
    'After how many entries ROOT writes the baskets of all branches together (fAutoFlush).',
  Buffers: 'Memory for one basket of each branch while the tree is written: the sum of fBasketSize.',
  'Buffers, recommended': 'The sum of the sizes of baskets that TTree::OptimizeBaskets of ROOT would set.',
  'Baskets by buffers':
    'Baskets that ROOT expects of the sizes of the buffers. The file may have more, or fewer.',
  'Baskets, recommended': 'Baskets that ROOT expects of the recommended sizes.',
  Split:
    'Split level: how deep ROOT divides an object into branches. 99 is as far as possible; 0 stores it whole.',
  'Seeks back':
    'Times that a reader has to go back in the file when it reads all baskets in the order of their entries. Few are better.',
  Scatter:
    'Length of file over which baskets lie that are read together, divided by their bytes. 1 means that nothing lies between them; 10 means that a tenth is of use.',
  'Over-read':
    'Bytes that a request brings without need, because they lie between two wanted ranges and one request costs less than two.',
  'Round trip':
    'The way of a request to the server and of the first byte of its answer back. Requests that wait for each other pay it each time.',
  'In a row': 'Requests of which each waits for the one before: the number of round trips.',
  Calls: 'Requests to the server, or reads of the file.',
  TTreeCache:
    "ROOT's cache of a tree: it learns which branches a job reads, and gets the baskets of many entries ahead, together.",
  Push: 'Whole files are copied to the site of a job before it starts.',
  Pull: 'A job reads the parts that it needs where the file is, perhaps through a cache at its site.',
  'Cluster pool':
    "ROOT's way of reading an RNTuple: all pages of the chosen fields in a cluster come together, and the next cluster ahead.",
  'Entries in one': 'Entries of a basket or a page on average.',
  'Bytes an entry': 'Stored bytes of one entry on average.',
  Codec: 'The method of compression and its level.',
  Cycle: 'The number behind ";" that tells versions of an object apart: the highest is the newest.',
  UUID: 'The identity that ROOT gave the file when it was written.',
  Underflow: 'Values below the lower end of the axis.',
  Overflow: 'Values at or above the upper end of the axis.',
  'Std dev': 'Standard deviation of the values within the range.',
  'Effective entries': 'Number of unweighted entries that would have the same relative error.',
} as const satisfies Record<string, string>;

export type Term = keyof typeof terms;

/** Returns the explanation of a word; undefined for words that need none. */
export function termOf(name: string): string | undefined {
  return Object.hasOwn(terms, name) ? terms[name as Term] : undefined;
}
