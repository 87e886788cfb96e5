import { effect } from '@preact/signals';
import type { ViewerStore } from '../state/viewer-state';
import type { ViewerEvents } from './viewer-event-types';

/** Reports events of a viewer until the returned function is called. */
export function watchViewer(
  store: ViewerStore,
  emit: <K extends keyof ViewerEvents>(name: K, detail: ViewerEvents[K]) => void,
): () => void {
  let told: unknown;
  const stops = [
    effect(() => {
      const open = store.session.file.value;
      if (open !== null) emit('open', open.info);
    }),
    effect(() => {
      const chosen = store.selection.chosen.value;
      if (chosen === null) return;
      if (chosen.kind === 'file') emit('select', {});
      else {
        const { path, className } = chosen.key;
        const branch = chosen.kind === 'branch' ? chosen.branch : undefined;
        emit('select', {
          path,
          className,
          ...(branch && { branch: branch.path, typeName: branch.typeName }),
        });
      }
    }),
    effect(() => {
      const content = store.selection.content.value;
      const chosen = store.selection.chosen.peek();
      if ((content.kind === 'draw' || content.kind === 'query') && content.stale) return;
      if (content.kind === 'draw' && !content.reading && chosen?.kind === 'branch') {
        const { key, branch } = chosen;
        emit('plot', { kind: 'branch', path: key.path, branch: branch.path, result: content.result });
      } else if (content.kind === 'query' && !content.reading && chosen?.kind === 'key') {
        const { query, result } = content;
        emit('plot', { kind: 'query', path: chosen.key.path, expr: query.expr, cut: query.cut, result });
      }
    }),
    effect(() => {
      const chosen = store.selection.chosen.peek();
      const shown = store.plot.shown.value;
      const drawn = shown?.model ?? shown?.svg;
      // Zooming shows the same plot.
      if (drawn === undefined || drawn === told || store.selection.content.peek().kind !== 'object') return;
      if (chosen?.kind !== 'key') return;
      told = drawn;
      const { path, className } = chosen.key;
      emit('plot', { kind: 'object', path, className });
    }),
    effect(() => {
      for (const { progress } of store.activities.list.value) if (progress) emit('progress', progress);
    }),
    effect(() => {
      const content = store.selection.content.value;
      const failed = content.kind === 'failed' ? content.error : undefined;
      const mistake = content.kind === 'draw' || content.kind === 'query' ? content.mistake : undefined;
      const error = store.session.openError.value ?? failed ?? mistake;
      if (error !== undefined) emit('error', error);
    }),
    effect(() => {
      if (store.session.file.value !== null)
        emit('state', { ...store.navigation.pageState.value, ...store.navigation.shownState.value });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
