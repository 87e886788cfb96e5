import { readFileSync, writeFileSync } from 'node:fs';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { XylemError } from '../../../web/base/errors';
import { makeEngine } from '../../engine/fixtures';
import { judge } from '../judge';
import { type Pair, sourceOf } from '../recorded-pairs';

/** The comparison of a pair: see OUTCOMES in generated.py. */
interface Judged {
  outcome: 'agree' | 'both' | 'ours' | 'theirs' | 'axes' | 'differ' | 'fault';
  /** The differences, or the message of xylem. */
  findings: string[];
}

const SECONDS = 30;

/** Draws each pair of a file with xylem. Writes the outcomes, in the same order, beside the file. */
export async function compareAll(path: string): Promise<void> {
  const pairs = JSON.parse(readFileSync(path, 'utf8')) as Pair[];
  const judged: Judged[] = [];
  for (const file of new Set(pairs.map((pair) => pair.file))) {
    const engine = await makeEngine();
    const id = engine.open(sourceOf(file)).then((info) => info.id);
    for (const [i, pair] of pairs.entries()) {
      if (pair.file === file) judged[i] = await outcomeOf(engine, id, pair);
    }
  }
  writeFileSync(path.replace('.json', '.outcomes.json'), JSON.stringify(judged));
}

async function outcomeOf(engine: EngineApi, id: Promise<FileId>, pair: Pair): Promise<Judged> {
  try {
    const findings = await inTime(id.then((known) => judge(engine, known, pair)));
    if (pair.error) return { outcome: 'ours', findings: [pair.crash ? 'ROOT crashes' : 'ROOT refuses'] };
    if (findings.length === 0) return { outcome: 'agree', findings };
    const onAxes = findings.every((one) => /^(bins|low|high|bin of axis) /.test(one));
    return { outcome: onAxes ? 'axes' : 'differ', findings };
  } catch (thrown) {
    const findings = [String(thrown)];
    if (thrown instanceof XylemError && thrown.code !== 'INTERNAL')
      return { outcome: pair.error ? 'both' : 'theirs', findings };
    // Strings where ROOT draws numbers, or numbers where it draws strings.
    const otherKind = thrown instanceof Error && /^not (a histogram|strings)/.test(thrown.message);
    return { outcome: pair.error ? 'ours' : otherKind ? 'differ' : 'fault', findings };
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`No answer in ${SECONDS} seconds.`)), SECONDS * 1000);
    work.then(done, fail).finally(() => clearTimeout(timer));
  });
}
