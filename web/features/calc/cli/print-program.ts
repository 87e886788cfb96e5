import type { Context } from '../../../cli/context';
import { histProgram } from '../work/programs/hist';
import { rootProgram } from '../work/programs/root';
import type { Step } from '../work/steps';
import type { CalcGiven } from './calc';
import { splitName } from './names';

/** Prints a program of another tool, or the steps as JSON. Throws UNSUPPORTED for what the tool cannot do. */
export function printProgram(tool: string, steps: readonly Step[], given: CalcGiven, { out }: Context): void {
  const split = (name: string) => splitName(name, given.file);
  if (tool === 'steps') {
    out.setForm('json');
    out.line(JSON.stringify(steps));
    return;
  }
  out.put(tool === 'root' ? rootProgram(steps, split) : histProgram(steps, split));
}
