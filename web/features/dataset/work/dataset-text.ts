import { argumentError } from '../../../base/errors';
import { type Json, listOf, rangeOf, recordOf } from '../../../measure/json';
import type { Identity, PartialInput } from '../../../verbs/verb';
import { askedKey } from '../../chains/work/partial';
import type { DatasetFile, DatasetTree } from './dataset';
import type { FactsAsked } from './dataset-facts';
import type { LumiRange } from './lumi-ranges';

const FORMAT = 'xylem-dataset';
const VERSION = 1;

/** The facts about a file, and its identity, by which later changes are detected. */
export interface KnownFile {
  input: PartialInput;
  identity: Identity;
  facts: DatasetFile;
}

/** Facts about files, from which a comparison continues. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();

  constructor(readonly asked: FactsAsked) {}

  get(input: PartialInput): KnownFile | undefined {
    return this.#files.get(askedKey(input));
  }

  set(file: KnownFile): void {
    this.#files.set(askedKey(file.input), file);
  }

  /** Returns lines of JSON: the request, the different schemas, and the files. */
  text(): string {
    const schemas = new Map<string, number>();
    const files = [...this.#files.values()].map(({ input: { file, tree, entries }, identity, facts }) => {
      const trees = facts.trees.map(({ branches, ...rest }) => {
        const key = JSON.stringify(branches.map(({ path, type }) => [path, type]));
        const schema = schemas.get(key) ?? schemas.size;
        schemas.set(key, schema);
        return { ...rest, schema };
      });
      const input = { file, tree, ...(entries && { entries }) };
      return JSON.stringify({ ...input, identity, facts: { ...facts, trees } });
    });
    const head = JSON.stringify({ format: FORMAT, version: VERSION, ...this.asked });
    return [head, ...[...schemas.keys()].map((branches) => `{"branches":${branches}}`), ...files].join('\n');
  }
}

/** Parses the text of KnownFiles from the file `name`. Throws ARGUMENT for other texts, and for another request. */
export function parseKnownFiles(text: string, name: string, asked: FactsAsked): KnownFiles {
  const wrong = (why: string): never => {
    throw argumentError(
      `${name} is not what "xylem dataset --resume" of this version wrote: ${why}.`,
      'Name another file.',
      { url: name },
    );
  };
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i): Json => {
      try {
        return recordOf(JSON.parse(line)) ?? wrong(`line ${i + 1} is no object`);
      } catch {
        return wrong(`line ${i + 1} is not JSON`);
      }
    });
  const [head = {}, ...rest] = lines;
  if (head.format !== FORMAT || head.version !== VERSION)
    wrong(`it is not "${FORMAT}" of version ${VERSION}`);
  if (head.tree !== asked.tree || head.deep !== asked.deep) wrong('it has other options, or another tree');
  const known = new KnownFiles(asked);
  const schemas: DatasetTree['branches'][] = [];
  rest.forEach((json, i) => {
    if (json.branches !== undefined) schemas.push(branchesFrom(json.branches) ?? wrong(`line ${i + 2}`));
    else known.set(fileFrom(json, schemas) ?? wrong(`line ${i + 2} cannot be read`));
  });
  return known;
}

function branchesFrom(value: unknown): DatasetTree['branches'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const branches = (value as unknown[]).map((one) => {
    const [path, type] = Array.isArray(one) ? (one as unknown[]) : [];
    return typeof path === 'string' && typeof type === 'string' ? { path, type } : undefined;
  });
  return branches.every((one) => one !== undefined) ? branches : undefined;
}

function fileFrom(json: Json, schemas: readonly DatasetTree['branches'][]): KnownFile | undefined {
  const { file, tree } = json;
  const entries = rangeOf(json.entries);
  const identity = recordOf(json.identity);
  const facts = recordOf(json.facts);
  if (typeof file !== 'string' || typeof tree !== 'string' || !identity || !facts) return undefined;
  const { name, size, uuid, rootVersion } = facts;
  const notes = textsFrom(facts.notes);
  const damage = textsFrom(facts.damage);
  const trees = listOf(facts.trees, (one) => treeFrom(one, schemas));
  if (typeof name !== 'string' || typeof size !== 'number' || typeof uuid !== 'string') return undefined;
  if (typeof rootVersion !== 'string' || !notes || !damage || !trees) return undefined;
  return {
    input: { file, tree, ...(entries && { entries }) },
    identity: {
      ...(typeof identity.size === 'number' && { size: identity.size }),
      ...(typeof identity.uuid === 'string' && { uuid: identity.uuid }),
      ...(typeof identity.validator === 'string' && { validator: identity.validator }),
    },
    facts: { name, size, uuid, rootVersion, notes, trees, damage },
  };
}

function treeFrom(json: Json, schemas: readonly DatasetTree['branches'][]): DatasetTree | undefined {
  const { path, entries, clusters, storedBytes, schema, manyLumis } = json;
  const codecs = textsFrom(json.codecs);
  const branches = typeof schema === 'number' ? schemas[schema] : undefined;
  const lumis = json.lumis === undefined ? undefined : lumisFrom(json.lumis);
  if (typeof path !== 'string' || typeof entries !== 'number' || typeof clusters !== 'number')
    return undefined;
  if (typeof storedBytes !== 'number' || !codecs || !branches) return undefined;
  if (json.lumis !== undefined && !lumis) return undefined;
  const found = { ...(lumis && { lumis }), ...(manyLumis === true && { manyLumis }) };
  return { path, entries, clusters, storedBytes, codecs, branches, ...found };
}

function lumisFrom(value: unknown): LumiRange[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const good = (value as unknown[]).every(
    (one) => Array.isArray(one) && one.length === 3 && one.every((number) => typeof number === 'number'),
  );
  return good ? (value as LumiRange[]) : undefined;
}

function textsFrom(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === 'string') ? (value as string[]) : undefined;
}
