import { dataFrameProgram } from './programs-dataframe';
import { commandProgram, libraryProgram, treeDrawProgram } from './programs-own';
import { uprootProgram } from './programs-uproot';
import { reasonOf } from './translate/translate';
import { type Snippet, type ToolId, toolIds, type Use } from './use';

interface Tool extends Pick<Snippet, 'tool' | 'language'> {
  /** Throws Untranslated with the reason if there is no program. */
  program(use: Use): string;
}

const TOOLS: Readonly<Record<ToolId, Tool>> = {
  uproot: { tool: 'uproot', language: 'python', program: (use) => uprootProgram(use) },
  rdataframe: { tool: 'RDataFrame', language: 'cpp', program: dataFrameProgram },
  ttree: { tool: 'TTree::Draw', language: 'cpp', program: treeDrawProgram },
  library: { tool: 'xylem, library', language: 'js', program: libraryProgram },
  command: { tool: 'xylem, command', language: 'sh', program: commandProgram },
};

/**
 * Returns complete programs that fill the same histograms with other tools, each with the same contents in all bins. The
 * axes are half-open as in ROOT. Names and addresses are quoted for each language. For uproot and RDataFrame the
 * expressions are translated; where that cannot be done, the reason stands in place of the program.
 */
export function snippets(use: Use): Snippet[] {
  return toolIds.map((id) => snippetOf(id, use));
}

export function snippetOf(id: ToolId, use: Use): Snippet {
  const { tool, language, program } = TOOLS[id];
  try {
    return { id, tool, language, text: program(use) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}
