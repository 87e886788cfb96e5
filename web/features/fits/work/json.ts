import type { FitResult, TogetherResult } from '../../../api/fit';
import { membersJson } from '../../../base/json';

/** The result as one line of JSON. */
export const resultJson = (result: FitResult | TogetherResult): string => membersJson(result);
