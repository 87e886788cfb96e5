import { plotFields } from '../plot/look/look';

export const stateFields = ['tree', 'draw', 'cut', 'opt', 'item', 'show', 'items', ...plotFields] as const;
/** Attributes that are also properties with text. */
export const texts = [
  'src',
  ...stateFields,
  'view',
  'label',
  'heading',
  'privacy',
  'align',
  'selectors',
] as const;
export const attributes = [...texts, 'theme'] as const;
export type Attribute = (typeof attributes)[number];
