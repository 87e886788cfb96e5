import { flag, needed, TEXT } from '../../../base/shape';
import { UsageError } from '../../../cli/arguments';
import type { Command } from '../../../cli/command';
import { newFileIn } from './allowed-folder';
import { checkCost } from './cost';
import { ofFile } from './schema';
import { type Call, filesOf, type Input, type Tool } from './tool';

const OUTPUT = needed(TEXT, 'OUT', 'Name of the new file, relative to the folder that the user allows.');
const DRY_RUN = flag('Only say what would be read and written, and write nothing.');

/** The tool of a command, if it has one. What a copy would read is known from its plan before. */
export function toolOfCommand(name: string, command: Command): Tool | undefined {
  const { tool } = command;
  if (tool === undefined) return undefined;
  const { title, description, params, writes = false, line, cost } = tool;
  const plans = writes && 'dry-run' in command.options;
  return {
    ...{ name, title, description, writes },
    input: ofFile({ ...params, ...(writes && { output: OUTPUT }), ...(plans && { dryRun: DRY_RUN }) }),
    async run(input, call) {
      const file = filesOf(input);
      const { lent } = call.lend();
      if (cost) {
        const { what, ...reads } = await cost(input, file, lent);
        checkCost(reads, what, call.limits);
      }
      const output = writes ? await outputOf(input, call) : '';
      const { options = {}, words } = await line(input, { file, output }, lent);
      const given = Object.entries(options).flatMap(([option, value]) => optionWords(option, value));
      if (plans) {
        const plan = await call.command(command, ['--dry-run', ...given], words);
        if (input.dryRun === true) return { text: plan };
        checkCost({ bytes: plannedBytes(plan), requests: 1 }, 'what is copied', call.limits);
      }
      return { text: await call.command(command, given, words) };
    },
  };
}

function optionWords(name: string, value: string | readonly string[] | true | undefined): string[] {
  if (value === undefined) return [];
  return value === true ? [`--${name}`] : [value].flat().map((one) => `--${name}=${one}`);
}

/** The path of the new file. Throws ARGUMENT for one that may not be made. */
async function outputOf(input: Input, { limits }: Call): Promise<string> {
  if (limits.writeTo === undefined) throw new UsageError('No folder is allowed.');
  return await newFileIn(limits.writeTo, String(input.output));
}

/**
 * Returns the number of bytes that a plan reads. The plan is the first line that the command prints; notes follow. The
 * plan of several files has only the bytes that are written, which are about as many, because baskets are copied.
 */
function plannedBytes(text: string): number {
  const plan: { read?: { bytes: number }; bytes: number } = JSON.parse(text.split('\n\n')[0] ?? '');
  return plan.read?.bytes ?? plan.bytes;
}
