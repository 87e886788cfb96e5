import type { BasketTask } from '../core/basket-packer';
import type { CorePart } from '../core/module';
import { type ModuleName, noModule } from '../core/modules/registry';
import type { TaskRunner } from './types';

/** Returns a task with the module that runs it. Throws as `moduleOf`. */
export const withWriter = async (
  runner: Pick<TaskRunner, 'modules'>,
  task: BasketTask,
): Promise<BasketTask> => ({
  ...task,
  writer: task.writer ?? (await moduleOf(runner, 'write')),
});

/** Returns a module for a task. Throws INTERNAL if the reader does not have it, and the errors of loading it. */
export async function moduleOf(
  { modules }: Pick<TaskRunner, 'modules'>,
  name: ModuleName | CorePart,
): Promise<WebAssembly.Module> {
  if (!modules) throw noModule(name);
  return modules(name);
}
