const RULES = {
  'unread-tree': 'a tree whose description is damaged, so that nothing of it can be read',
  'missing-entries': 'entries that branches count and none of their baskets holds',
  scattered: 'baskets of the same entries lie far apart',
  'tiny-baskets': 'baskets so small that requests cost more than the data',
  'wrong-clusters': "borders of clusters that the tree's record claims and its baskets do not keep to",
  misaligned: 'baskets reach across the borders of clusters',
  'large-clusters': 'clusters too large for parallel or remote reading',
  'small-clusters': 'clusters so small that each read brings little',
  'embedded-baskets': "values that lie in the tree's own record and are read whenever it is opened",
  uncompressed: 'stored without compression',
  'slow-compression': 'a codec that is slow to read',
  'poor-compression': 'compression that does not pay',
  'short-branches': 'branches that have fewer entries than their tree',
  'empty-branches': 'branches without data',
  'constant-branches': 'branches whose values hardly change',
  'duplicate-branches': 'branches that hold the same bytes',
  'free-space': 'space in the file that nothing uses',
  'old-cycles': 'old copies of a tree that were saved on the way',
  'poor-encoding': 'an encoding of fields of an RNTuple that does not pay',
  'small-pages': 'pages of an RNTuple so small that requests cost more than the data',
} as const;

export type DoctorRule = keyof typeof RULES;

/** The rules, with a description of each. */
export const DOCTOR_RULES: Readonly<Record<DoctorRule, string>> = RULES;
