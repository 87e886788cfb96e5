import type { KeyInfo, TreeLayout } from '../../../api/api';
import type { DoctorFinding, DoctorRemedy } from '../../../api/doctor';
import type { DoctorRule } from '../../../api/doctor-rules';
import { fileWord } from '../../../base/literal';
import { compressionNumber } from '../../../core/compression';
import { isTree } from '../../../model/keys';
import { clusterEntries } from '../../whatif/work/repaired';
import { settingsBySize } from './doctor-codecs';
import { repairScript } from './doctor-script';
import type { Cure, Draft } from './doctor-types';

/** zstd, level 5: what ROOT recommends for analysis. */
const ZSTD = compressionNumber({ algorithm: 'zstd', level: 5 });

/** Facts about an examined tree that the remedies need. */
export interface TreeFacts {
  path: string;
  kind: 'TTree' | 'RNTuple';
  /** Entries of a cluster after rewriting. */
  entries: number;
  /** Stored bytes for each codec setting. */
  settings: [settings: number, bytes: number][];
}

export function treeFacts(layout: TreeLayout): TreeFacts {
  const { path, kind } = layout.tree;
  return { path, kind, entries: clusterEntries(layout.tree), settings: settingsBySize(layout) };
}

/**
 * Adds to the findings of a file the commands that repair it. All trees that have to be rewritten are in one program.
 */
export function withRemedies(
  file: string,
  keys: readonly KeyInfo[],
  trees: readonly TreeFacts[],
  drafts: readonly Draft[],
): DoctorFinding[] {
  const from = localName(file);
  const to = repairedName(from);
  const anew = trees.filter(({ path }) =>
    drafts.some(({ tree, cure }) => tree === path && (cure === 'rewrite' || cure === 'recompress')),
  );
  const recompress = drafts.some(({ cure }) => cure === 'recompress');
  const program: DoctorRemedy = {
    for: 'ROOT',
    file: 'repair.C',
    run: 'root -l -b -q repair.C',
    keeps: 'newest',
    lines: repairScript({
      from,
      to,
      settings: recompress ? ZSTD : commonSettings(trees),
      trees: anew.filter(({ kind }) => kind === 'TTree'),
      ntuples: keys.some(({ kind }) => kind === 'ntuple'),
    }),
  };
  const names = `${fileWord(to)} ${fileWord(from)}`;
  const merged: Partial<Record<Cure, DoctorRemedy>> = {
    recompress: { for: 'hadd', keeps: 'newest', lines: [`hadd -f${ZSTD} ${names}`] },
    copy: { for: 'hadd', keeps: 'newest', lines: [`hadd -fk ${names}`] },
  };
  const own = xylemRemedies(`${fileWord(from)} ${fileWord(to)}`);
  const canMerge = isMergeable(keys);
  const canHeal = !hasOldObjects(keys);
  return drafts.map(({ cure, ...finding }) => {
    if (!cure) return { ...finding, remedies: [] };
    const line = canMerge ? merged[cure] : undefined;
    const isNtuple = trees.some(({ path, kind }) => path === finding.tree && kind === 'RNTuple');
    const command = isNtuple ? undefined : OWN[finding.rule];
    const isOffered = command !== undefined && (canHeal || KEEPS_CYCLES.includes(command));
    return { ...finding, remedies: [...(line ? [line] : []), program, ...(isOffered ? [own[command]] : [])] };
  });
}

/** A command of xylem that repairs a file without ROOT. */
type OwnCommand = 'clusters' | 'order' | 'rebasket' | 'recompress';

/** The xylem command for each rule of a TTree or of the file. Rules without one are repaired only by ROOT. */
const OWN: Partial<Record<DoctorRule, OwnCommand>> = {
  'wrong-clusters': 'clusters',
  scattered: 'rebasket',
  misaligned: 'rebasket',
  'tiny-baskets': 'rebasket',
  'small-clusters': 'rebasket',
  uncompressed: 'recompress',
  'slow-compression': 'recompress',
  'free-space': 'order',
  'old-cycles': 'order',
};

/** Commands that copy all cycles. The others keep the newest cycle of each object. */
const KEEPS_CYCLES: readonly OwnCommand[] = ['clusters', 'recompress'];

/** A repair by `xylem heal`: a level, and a codec if baskets are compressed again. */
export interface Healing {
  level: 'clusters' | 'order' | 'rebasket';
  codec?: 'zstd:5' | undefined;
}

/** The levels. Each does everything that the previous ones do. */
const LEVELS = ['clusters', 'order', 'rebasket'] as const;

/**
 * Returns the lowest level of healing that repairs these findings, as far as healing can; undefined if it repairs
 * none.
 */
export function healingOf(
  findings: readonly Pick<DoctorFinding, 'rule' | 'remedies'>[],
): Healing | undefined {
  const commands = findings.flatMap(({ rule, remedies }) =>
    remedies.some((remedy) => remedy.for === 'xylem') ? (OWN[rule] ?? []) : [],
  );
  if (commands.length === 0) return undefined;
  const level = LEVELS.findLast((one) => commands.includes(one)) ?? 'clusters';
  return { level, ...(commands.includes('recompress') && { codec: 'zstd:5' }) };
}

/** Whether a healing repairs this finding. `codec`: baskets are compressed again, with any codec. */
export function repairs(
  healing: { level: Healing['level']; codec: boolean },
  finding: Pick<DoctorFinding, 'rule' | 'remedies'>,
): boolean {
  const wanted = healingOf([finding]);
  if (wanted === undefined) return false;
  return (
    LEVELS.indexOf(healing.level) >= LEVELS.indexOf(wanted.level) &&
    (wanted.codec === undefined || healing.codec)
  );
}

function xylemRemedies(names: string): Record<OwnCommand, DoctorRemedy> {
  const line = (own: OwnCommand, text: string): DoctorRemedy => ({
    for: 'xylem',
    keeps: KEEPS_CYCLES.includes(own) ? 'all' : 'newest',
    lines: [text],
  });
  return {
    clusters: line('clusters', `xylem heal ${names} --level clusters`),
    order: line('order', `xylem heal ${names}`),
    rebasket: line('rebasket', `xylem heal ${names} --level rebasket`),
    recompress: line('recompress', `xylem skim ${names} --codec zstd:5`),
  };
}

/** Whether an object that is not a tree has several cycles. */
function hasOldObjects(keys: readonly KeyInfo[]): boolean {
  const others = keys.filter((key) => !isTree(key)).map(({ path }) => path);
  return new Set(others).size < others.length;
}

/**
 * Whether hadd can copy the file without loss. hadd keeps only the newest cycle of each object and rewrites objects
 * by their classes, so the file may contain only trees, histograms and directories, each object once.
 */
function isMergeable(keys: readonly KeyInfo[]): boolean {
  return !keys.some(({ kind }) => kind === 'object' || kind === 'graph') && !hasOldObjects(keys);
}

/** Returns the settings with the most bytes in all trees; undefined if unknown. */
function commonSettings(trees: readonly TreeFacts[]): number | undefined {
  const sums = new Map<number, number>();
  for (const [settings, bytes] of trees.flatMap(({ settings }) => settings))
    sums.set(settings, (sums.get(settings) ?? 0) + bytes);
  const [most] = [...sums].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[0] >= 0 ? most[0] : undefined;
}

/**
 * Returns the path of a file as given; for an address the last part of its path, because a local copy is repaired.
 */
function localName(file: string): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(file)) return file;
  const path = file.replace(/[?#].*$/s, '');
  return path.slice(path.lastIndexOf('/') + 1) || 'old.root';
}

/** Returns the name of the repaired file, in the folder where the commands are run. */
function repairedName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.endsWith('.root') ? `${base.slice(0, -'.root'.length)}-repaired.root` : `${base}-repaired.root`;
}
