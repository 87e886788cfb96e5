import { dataJson } from '../../../base/json';
import { rowWriter } from '../../../export/canonical';
import type { CardValue, EntryCard } from './card';
import { objectsOf } from './objects';
import { groupsOf } from './tables';

/** Writes a card as JSON, collection by collection. Values are written as by `export --format jsonl`, with all digits. */
export function* cardJson(card: EntryCard): Generator<string> {
  const { values, reading, ...head } = card;
  yield `${dataJson(head).slice(0, -1)},"groups":[`;
  const groups = groupsOf(values);
  for (const [i, group] of groups.entries()) {
    yield `${i > 0 ? ',' : ''}\n{"name":${JSON.stringify(group.name)},"branches":[`;
    for (const [j, value] of group.values.entries()) yield `${j > 0 ? ',' : ''}\n${valueJson(value)}`;
    yield ']}';
  }
  const objects = objectsOf(values).map(({ name, unit, isMissing, isComputed, objects, left }) => ({
    ...{ collection: name, unit, missing: isMissing, computed: isComputed, objects, left },
  }));
  yield `],"objects":${dataJson(objects)},"reading":${JSON.stringify(reading)}}`;
}

function valueJson({ path, typeName: type, unit, documentation, column, error }: CardValue): string {
  const head = JSON.stringify({ path, type, unit, documentation });
  if (column === undefined)
    return `${head.slice(0, -1)},"error":${JSON.stringify({ code: error?.code, message: error?.message })}}`;
  let text = '';
  rowWriter(column)(0, (piece) => {
    text += piece;
  });
  return `${head.slice(0, -1)},"value":${text}}`;
}
