// Event data of the Phoenix event display (https://github.com/HSF/phoenix) from any entry of a tree. An example of the
// library of xylem: copy it, and change which collections become which objects.

/** The members of a collection that are read: Muon_pt, Muon_eta, … */
const MEMBER = /^(.+)_(pt|eta|phi|mass|charge)$/;

/** The lists of Phoenix, by the names of collections. The first that fits counts. */
const LISTS = [
  ['MissingEnergy', /met$|missing/i],
  ['Jets', /jet/i],
  ['Muons', /^mu/i],
  ['Electrons', /^el|^ele/i],
  ['Photons', /^ph|^gamma/i],
];

/** Phoenix counts in MeV. A branch whose description does not name a unit is taken to be in GeV. */
const MEV = { MeV: 1, GeV: 1000, TeV: 1e6 };

/**
 * Returns the event data of an entry, as `PhoenixLoader.buildEventData` takes them. Only the baskets of this entry are read.
 *
 * @param {import('xylem').TreeHandle} tree
 * @param {number} entry
 */
export async function phoenixEvent(tree, entry) {
  const { branches } = tree.info;
  const collections = new Map();
  for (const branch of branches) {
    const [, name] = (branch.kind === 'number' && MEMBER.exec(branch.name)) || [];
    if (name !== undefined) collections.set(name, [...(collections.get(name) ?? []), branch]);
  }
  const numbers = branches.filter(({ name }) => ['run', 'event', 'luminosityBlock'].includes(name));
  const names = [...numbers, ...[...collections.values()].flat()].map(({ name }) => name);
  const columns = await tree.arrays(names, { entries: [entry, entry + 1] });
  const value = (name) => columns[name]?.at(0);

  const event = {
    ...(value('run') !== undefined && { 'run number': Number(value('run')) }),
    'event number': Number(value('event') ?? entry),
    ...(value('luminosityBlock') !== undefined && { lumiBlock: Number(value('luminosityBlock')) }),
  };
  const add = (list, name, objects) => {
    if (objects.length > 0) event[list] = { ...event[list], [name]: objects };
  };
  for (const [name, members] of collections) {
    const [list = 'Tracks'] = LISTS.find(([, pattern]) => pattern.test(name)) ?? [];
    const scale = MEV[members.find((one) => one.name.endsWith('_pt'))?.unit ?? 'GeV'] ?? 1000;
    const objects = objectsOf((member) => value(`${name}_${member}`), scale);
    if (list === 'MissingEnergy')
      add(
        list,
        name,
        objects.map(({ pt, phi }) => ({ etx: pt * Math.cos(phi), ety: pt * Math.sin(phi) })),
      );
    // A direction has an eta, too.
    const seen = list === 'MissingEnergy' ? [] : objects.filter(({ eta }) => eta !== undefined);
    const charged = seen.filter(({ charge = 0 }) => charge !== 0);
    if (list === 'Tracks') add('Tracks', name, charged.map(trackOf));
    else if (list === 'Jets')
      add(
        list,
        name,
        seen.map((jet) => ({ ...jet, coneR: 0.4 })),
      );
    else if (list === 'Photons') add(list, name, seen);
    else if (list === 'Muons' || list === 'Electrons') {
      // Phoenix bends an object by the track that it is linked with.
      const tracks = `${name} tracks`;
      add('Tracks', tracks, charged.map(trackOf));
      const linked = (one) => ({ ...one, LinkedTracks: [`${tracks}:${charged.indexOf(one)}`] });
      add(
        list,
        name,
        seen.map((one) => (charged.includes(one) ? linked(one) : one)),
      );
    }
  }
  return event;
}

/** Makes objects of the values of their members, which are numbers or lists. */
function objectsOf(read, scale) {
  const [pt, eta, phi, mass, charge] = ['pt', 'eta', 'phi', 'mass', 'charge'].map((member) => {
    const value = read(member);
    return value === undefined ? undefined : [value].flat().map(Number);
  });
  if (pt === undefined || phi === undefined || pt.length !== phi.length) return [];
  return pt.flatMap((value, i) => {
    const [p, direction] = [value * scale, eta?.[i]];
    const momentum = direction === undefined ? p : p * Math.cosh(direction);
    const object = {
      ...{ pt: p, phi: phi[i], energy: Math.hypot(momentum, (mass?.[i] ?? 0) * scale) },
      ...(direction !== undefined && { eta: direction }),
      ...(charge?.[i] !== undefined && { charge: charge[i] }),
    };
    return Object.values(object).every(Number.isFinite) ? [object] : [];
  });
}

/** A track of Phoenix: [d0, z0, phi, theta, q/p] in mm and MeV. Without a vertex it begins at the origin. */
function trackOf({ pt, eta, phi, charge }) {
  const theta = 2 * Math.atan(Math.exp(-eta));
  return { pT: pt, eta, phi, dparams: [0, 0, phi, theta, charge / (pt * Math.cosh(eta))] };
}
