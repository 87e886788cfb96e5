import { reasonOf } from '../../../snippets/work/translate/translate';
import { dataFrameFlow } from './dataframe';
import { commandFlow, selectorFlow, treeFlow } from './own';
import { coffeaFlow, uprootFlow } from './python';
import { type FlowToolId, type FlowUse, flowToolIds } from './use';

interface Tool {
  tool: string;
  language: 'python' | 'cpp' | 'js' | 'sh';
  /** Throws Untranslated with the reason if there is no program. */
  program(use: FlowUse): string;
}

const TOOLS: Readonly<Record<FlowToolId, Tool>> = {
  rdataframe: { tool: 'RDataFrame', language: 'cpp', program: dataFrameFlow },
  root: { tool: 'TTree::Draw', language: 'cpp', program: treeFlow },
  coffea: { tool: 'coffea', language: 'python', program: coffeaFlow },
  uproot: { tool: 'uproot', language: 'python', program: uprootFlow },
  xylem: { tool: 'xylem, command', language: 'sh', program: commandFlow },
  selector: { tool: 'xylem, selector', language: 'js', program: selectorFlow },
};

/** A program for a tool, or the reason why there is none. */
export type FlowProgram = { id: FlowToolId } & Pick<Tool, 'tool' | 'language'> &
  ({ text: string; why?: undefined } | { text?: undefined; why: string });

export function flowProgram(id: FlowToolId, use: FlowUse): FlowProgram {
  const { tool, language, program } = TOOLS[id];
  try {
    return { id, tool, language, text: program(use) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}

/** Returns complete programs that count the same entries with other tools. */
export const flowPrograms = (use: FlowUse): FlowProgram[] => flowToolIds.map((id) => flowProgram(id, use));
