import type { TreeInfo } from '../../../../api/api';

/** A cutflow of one file, for programs of other tools. */
export interface FlowUse {
  /** Address or path of the file. */
  address: string;
  tree: TreeInfo;
  cuts: readonly string[];
  /** An expression with one value for each entry; empty for none. */
  weight: string;
}

/** The tools for which there are programs, in the order in which they are shown. */
export const flowToolIds = ['rdataframe', 'root', 'coffea', 'uproot', 'xylem', 'selector'] as const;

export type FlowToolId = (typeof flowToolIds)[number];

/** Returns a name for each cut: its text, with a number if several have the same. */
export function namesOfCuts(cuts: readonly string[]): string[] {
  const taken = new Set<string>();
  return cuts.map((cut) => {
    let name = cut;
    for (let number = 2; taken.has(name); number++) name = `${cut} (${number})`;
    taken.add(name);
    return name;
  });
}
