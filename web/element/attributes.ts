import { entryOf, lookNames, plotFields } from '../plot/look/look';

export const stateFields = ['tree', 'draw', 'cut', 'opt', 'item', 'show', 'items', ...plotFields] as const;
/** Attributes that are also properties with text. */
export const texts = [
  'src',
  ...stateFields,
  'view',
  'board',
  'label',
  'heading',
  'privacy',
  'align',
  'selectors',
] as const;
/** Texts that are on or off: the attribute alone, as in HTML, is on. */
export const switches: ReadonlySet<string> = new Set(
  lookNames.filter((name) => typeof entryOf(name).plain === 'boolean'),
);
export const attributes = [...texts, 'theme'] as const;
export type Attribute = (typeof attributes)[number];
