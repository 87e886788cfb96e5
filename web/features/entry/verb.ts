import { XylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { flag, listOf, needed, optional, TEXT, whole } from '../../base/shape';
import { drawingSvg } from '../../plot/drawing/drawing';
import { branchesCost, columnsCost } from '../../verbs/branches-cost';
import { BRANCHES, CHAIN_TEXT, FILE, TREE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { verb } from '../../verbs/verb';
import { type EntryCard, findEntry, readCard } from './work/card';
import { cardJson } from './work/card-json';
import { cardDrawing, withPicture } from './work/card-picture';
import { type EventObjects, objectsOf, usualObjects } from './work/objects';
import { cardReport } from './work/tables';

/** Members of a collection in one table, and rows of a table, in a terminal. */
const TEXT_FORM = { columns: 8, rows: 20 };

export const entry = verb({
  name: 'entry',
  words: 'FILE [TREE] ENTRY',
  about: `Shows all branches of one entry, collection by collection: single values with their units and descriptions, and lists
with one row for each object. Objects with pt, eta and phi (or px, py and pz) are drawn by --svg.
Only the baskets and pages of this entry are read.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events 12', 'all branches of entry 12'],
    [
      "sample.root Events 12 --next --cut 'nMuon==2' --json",
      'the next entry that passes a cut, for a program',
    ],
  ],
  params: {
    file: FILE,
    tree: TREE,
    entry: needed(whole(0), 'ENTRY', 'Number of the entry; the first one is 0.'),
    cut: optional(
      TEXT,
      'CUT',
      'the first entry from this one on that passes the cut; with --next and --previous, the next that passes',
    ),
    next: flag('the entry after this one'),
    previous: flag('the entry before this one'),
    branches: BRANCHES,
    objects: optional(
      listOf(TEXT, undefined, 1),
      'NAMES',
      'collections that are drawn, with commas between them; default: up to six with well-known names first',
    ),
  },
  json: `{"file", "tree", "entry", "entries", "inFile", "groups": [{"name", "branches": [{"path", "type", "unit",
"documentation", "value"}, …]}, …], "objects": [{"collection", "unit", "missing", "computed", "objects": [{"index", "pt",
"eta", "phi", "mass", "energy", "charge"}, …], "left"}, …], "reading": {"requests", "bytes"}}. A branch that cannot be read
has "error" {"code", "message"} and no value. inFile: number of the entry in its own file, of several. missing: missing
momentum, without eta. computed: from px, py and pz. left: objects without finite numbers.`,
  exit: '0 all branches were read, 1 some could not be, or no entry passes the cut, 2 the command line was not understood.',
  wrong: ({ next, previous }) => (next && previous ? 'Take --next or --previous, not both.' : undefined),
  run: ({ file, tree: name, entry: from, cut, next, previous, branches }, call) =>
    call.withFile(file, async (open): Promise<EntryCard> => {
      const { reader, info: opened } = open;
      const { info } = await open.tree(await treeOf(open, name));
      const options = { signal: call.signal, onProgress: call.onProgress };
      const to = next ? 'next' : previous ? 'previous' : 'here';
      const asked = { entry: from, cut, to } as const;
      // Without a step, an entry that does not exist is an error of reading it.
      const isStep = to !== 'here' || cut !== undefined;
      const found = isStep ? await findEntry(reader, opened.id, info, asked, options) : from;
      if (found === undefined) throw noneFound(info.name, asked);
      return await readCard(reader, opened, info, { tree: info.path, entry: found, branches }, options);
    }),
  report: (card, { objects }) => {
    const report = cardReport(card, TEXT_FORM);
    return withPicture(report, card, chosenObjects(card, objects));
  },
  status: ({ values }) => (values.some(({ error }) => error && error.code !== 'UNSUPPORTED') ? 1 : 0),
  toJson: cardJson,
  outputs: {
    svg: {
      about:
        'draw the objects in the plane of eta and phi, and across the beam, and write the picture as SVG to OUT',
      isPicture: true,
      make: async (card, { objects }) => drawingSvg(cardDrawing(card, chosenObjects(card, objects))),
    },
  },
  tool: {
    title: 'One entry',
    description:
      'All branches of one entry of a tree: values with units and documentation, and the objects in it (pt, eta, phi, mass, charge) by collection. With a cut, the first entry from there on that passes. Reads only the baskets of this entry, and those of the cut up to it.',
    without: ['objects'],
    cost: ({ file, tree, entry: from, branches, cut, previous }, call) =>
      call.withFile(file, async (open) => {
        const card = await branchesCost(open, { tree, branches, entries: `${from}:${from + 1}` }, call);
        if (cut === undefined) return card;
        const entries = previous ? `0:${from}` : `${from}:`;
        const looked = await columnsCost(open, { tree, columns: [cut], entries }, call);
        const [bytes, requests] = [card.bytes + looked.bytes, card.requests + looked.requests];
        return { bytes, requests, what: `${card.what}, and those of the cut` };
      }),
  },
});

/** Returns the collections to be drawn: those with these names, or the usual ones. Throws NOT_FOUND. */
function chosenObjects({ values }: EntryCard, names: readonly string[] | undefined): EventObjects[] {
  const all = objectsOf(values);
  if (names === undefined) return usualObjects(all);
  return names.map((name) => {
    const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `No collection "${name}" in this entry has pt, eta and phi.`,
      fix: all.length === 0 ? undefined : `There are: ${all.map((one) => one.name).join(', ')}.`,
    });
  });
}

function noneFound(
  tree: string,
  { entry, cut, to }: { entry: number; cut?: string | undefined; to: 'next' | 'previous' | 'here' },
): XylemError {
  const where = { next: 'after', previous: 'before', here: 'from' }[to];
  const passes = cut === undefined ? '' : ` that passes ${cut}`;
  return new XylemError({
    code: 'NOT_FOUND',
    message: `${tree} has no entry ${where} ${formatCount(entry)}${to === 'here' ? ' on' : ''}${passes}.`,
  });
}
