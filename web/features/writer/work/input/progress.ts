import type { CallOptions } from '../../../../api/api';
import { throttle } from '../../../../pass/throttle';

/** Reports how much has been copied or compared. */
export function progressOf(
  label: string,
  pieces: readonly { length: number }[],
  { onProgress }: CallOptions,
): (bytes: number) => void {
  const bytesTotal = pieces.reduce((sum, { length }) => sum + length, 0);
  const report = throttle(onProgress);
  let bytesDone = 0;
  return (bytes) => {
    bytesDone += bytes;
    report(() => ({ label, bytesDone, bytesTotal, entriesDone: 0, entriesTotal: 0 }));
  };
}
