import type { FitResult } from '../../../api/fit';
import { membersJson } from '../../../base/json';

/** The result as one line of JSON. */
export const resultJson = (result: FitResult): string => membersJson(result);
