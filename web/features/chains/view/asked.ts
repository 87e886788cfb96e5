/** The view of a tree that draws all files of a list. */
export const ALL_FILES_VIEW = 'all';

/** The view of a tree that compares the files of a list. */
export const COMPARE_FILES_VIEW = 'dataset';

/** The query to all files. Empty ends are determined from the first file. */
export interface Asked {
  expr: string;
  cut: string;
  profile: boolean;
  bins: string;
  low: string;
  high: string;
}

const fields = ['expr', 'cut', 'bins', 'low', 'high'] as const;

/** Formats a query as the state of the view in a link. */
export function formatAsked(asked: Partial<Asked>): string {
  const params = new URLSearchParams();
  for (const field of fields) if (asked[field]) params.set(field, asked[field]);
  if (asked.profile) params.set('profile', '1');
  return params.toString();
}

export function parseAsked(text: string): Asked {
  const params = new URLSearchParams(text);
  const [expr = '', cut = '', bins = '', low = '', high = ''] = fields.map(
    (field) => params.get(field) ?? '',
  );
  return { expr, cut, bins, low, high, profile: params.get('profile') === '1' };
}
