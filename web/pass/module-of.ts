import { type ModuleName, noModule } from '../core/modules/registry';
import type { TaskRunner } from './types';

/** A module for a task. Throws INTERNAL when the reader was made without it, and the errors of loading it. */
export async function moduleOf(
  { modules }: Pick<TaskRunner, 'modules'>,
  name: ModuleName,
): Promise<WebAssembly.Module> {
  if (!modules) throw noModule(name);
  return modules(name);
}
