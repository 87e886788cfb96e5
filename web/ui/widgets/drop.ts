import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { droppedFiles } from '../state/recent/file-handles';

/**
 * Calls `onFiles` with files that are dropped on the root element, or with `wholePage` anywhere on the page. Returns
 * whether a file is being dragged over it.
 */
export function useFileDrop(
  root: RefObject<HTMLElement | null>,
  wholePage: boolean,
  onFiles: (files: File[]) => void,
): boolean {
  const [dragging, setDragging] = useState(false);
  const action = useRef(onFiles);
  action.current = onFiles;
  useLayoutEffect(() => {
    const target: EventTarget | null = wholePage ? window : root.current;
    if (target === null) return;
    // Enter and leave events come for every element, so they are counted.
    let inside = 0;
    const controller = new AbortController();
    const listen = (type: string, handle: (event: DragEvent) => void) => {
      target.addEventListener(
        type,
        (event) => {
          if (event instanceof DragEvent && event.dataTransfer?.types.includes('Files')) handle(event);
        },
        { signal: controller.signal },
      );
    };
    listen('dragenter', (event) => {
      event.preventDefault();
      inside++;
      setDragging(true);
    });
    listen('dragover', (event) => event.preventDefault());
    listen('dragleave', () => {
      inside = Math.max(0, inside - 1);
      if (inside === 0) setDragging(false);
    });
    listen('drop', (event) => {
      event.preventDefault();
      inside = 0;
      setDragging(false);
      const files = event.dataTransfer === null ? [] : droppedFiles(event.dataTransfer);
      if (files.length > 0) action.current(files);
    });
    return () => controller.abort();
  }, [root, wholePage]);
  return dragging;
}
