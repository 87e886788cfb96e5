import { describe, expect, test } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import { writePlain } from '../../web/export/canonical';
import { modelOfObject } from '../../web/plot/stored/stored';
import {
  bufferSpec,
  type Canonical,
  fixtureBytes,
  goldenNames,
  makeEngine,
  parseExact,
  readGolden,
} from '../engine/fixtures';

/** Members as JSON has them. */
type Members = { [member: string]: Canonical };

function canonical(object: PlainObject): Members {
  const parts: string[] = [];
  writePlain(object, (piece) => parts.push(piece));
  return parseExact(parts.join('')) as Members;
}

const axes = ['fXaxis', 'fYaxis', 'fZaxis'] as const;

/** The golden summary's members as they stand in the object. */
function summarize(object: Members, like: Members): Members {
  const summary: Members = {};
  for (const name of Object.keys(like)) summary[name] = summaryMember(object, name, like);
  return summary;
}

function summaryMember(object: Members, name: string, like: Members): Canonical {
  const member = (key: string): Canonical => object[key] ?? null;
  switch (name) {
    case 'name':
      return object.fName ?? like.name ?? null;
    case 'title':
      return member('fTitle');
    case 'entries':
      return member('fEntries');
    case 'contents':
      return member('fArray');
    case 'sumw2':
      return Array.isArray(object.fSumw2) && object.fSumw2.length > 0 ? object.fSumw2 : null;
    case 'n':
      return 'x' in like ? member('fNpoints') : (object.fArray as Canonical[]).length;
    case 'sum':
      return (object.fArray as number[]).reduce((sum, value) => sum + value, 0);
    case 'dim':
      return (like.axes as Canonical[]).length;
    case 'axes':
      return axes.slice(0, like.dim as number).map((axis) => axisSummary(object[axis] as Members));
    case 'x':
      return member('fX');
    case 'y':
      return member('fY');
    case 'string':
      return member('fString');
    case 'value':
      return member('fVal');
    case 'members':
      return (object.arr as Members[]).map((item) => [
        item._typename ?? null,
        item.fName ?? item.fString ?? item._typename ?? null,
      ]);
    default:
      return member(name);
  }
}

function axisSummary(axis: Members): Canonical {
  const edges = axis.fXbins as Canonical[];
  return {
    nbins: axis.fNbins ?? null,
    low: axis.fXmin ?? null,
    high: axis.fXmax ?? null,
    edges: edges.length > 0 ? edges : null,
  };
}

const files = goldenNames().filter((name) => Object.keys(readGolden(name).objects).length > 0);

describe.each(files)('%s', (name) => {
  const golden = readGolden(name);

  test.each(Object.entries(golden.objects))('%s', async (path, { class: className, summary }) => {
    const reader = await makeEngine();
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    const object = await reader.object(id, path);
    await reader.close(id);
    expect(object._typename).toBe(className);
    const got = canonical(object);
    if (summary !== null) expect(summarize(got, summary)).toEqual(summary);
    if (/^TH1[CSILFD]$|^TProfile$/.test(className)) {
      const model = modelOfObject(object);
      expect(model?.kind).toBe('bins');
    }
  });
});
