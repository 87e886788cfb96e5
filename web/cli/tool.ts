import type { Params, ValuesOf } from '../base/shape';
import type { VerbCall } from '../verbs/verb';

/** Files that a tool reads, as one word of a command line, and the path of the new file. */
interface Places {
  file: string;
  output: string;
}

interface Line {
  /** Options by their names. True is one without a value; undefined is left out. */
  options?: Readonly<Record<string, string | readonly string[] | true | undefined>>;
  words: readonly string[];
}

/** How assistants run a command: a tool of `xylem mcp` with the name of the command. */
export interface CommandTool<M extends Params = Params> {
  title: string;
  description: string;
  /** Arguments besides the files. A tool that writes also has `output`, and `dryRun` if the command has that option. */
  params: M;
  /** Whether it makes a file. */
  writes?: boolean;
  /** Returns the command line for arguments. */
  line(input: ValuesOf<M>, places: Places, call: VerbCall): Line | Promise<Line>;
  /** Bytes and requests that the command reads besides metadata, and besides what its plan (--dry-run) says. */
  cost?(
    input: ValuesOf<M>,
    file: string,
    call: VerbCall,
  ): Promise<{ bytes: number; requests: number; what: string }>;
}

/** Keeps the types of a tool's arguments. */
export const commandTool = <const M extends Params>(of: CommandTool<M>): CommandTool<M> => of;
