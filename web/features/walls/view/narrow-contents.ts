import { useLayoutEffect } from 'preact/hooks';
import type { ViewerStore } from '../../../ui/state/viewer-state';

/** Makes the contents narrow while a wall is shown, because plots need the room more than names. */
export function useNarrowContents({ contents }: ViewerStore): void {
  useLayoutEffect(() => {
    contents.wishedWidth.value = 'narrow';
    return () => {
      contents.wishedWidth.value = 'wide';
    };
  }, [contents]);
}
