import { effect } from '@preact/signals';
import type { Histogram } from '../../api/api';
import type { Content, ViewerStore } from '../state/viewer-state';
import type { ViewerEvents } from './viewer-event-types';

/** Reports events of a viewer until the returned function is called. */
export function watchViewer(
  store: ViewerStore,
  emit: <K extends keyof ViewerEvents>(name: K, detail: ViewerEvents[K]) => void,
): () => void {
  let told: unknown;
  let toldLayers: unknown;
  const tellDrawing = (content: Content, layers?: readonly Histogram[]): void => {
    const chosen = store.selection.chosen.peek();
    if ((content.kind !== 'draw' && content.kind !== 'query') || content.stale || content.reading) return;
    const { result } = content;
    const more = { result, ...(layers && { layers }) };
    if (content.kind === 'draw' && chosen?.kind === 'branch')
      emit('plot', { kind: 'branch', path: chosen.key.path, branch: chosen.branch.path, ...more });
    else if (content.kind === 'query' && chosen?.kind === 'key') {
      const { expr, cut } = content.query;
      emit('plot', { kind: 'query', path: chosen.key.path, expr, cut, ...more });
    }
  };
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
    effect(() => tellDrawing(store.selection.content.value)),
    // Sent again with the layers, after they were drawn.
    effect(() => {
      const layers = store.plot.shown.value?.layers;
      if (layers === undefined || layers === toldLayers) return;
      toldLayers = layers;
      tellDrawing(store.selection.content.peek(), layers);
    }),
    effect(() => {
      const chosen = store.selection.chosen.peek();
      const shown = store.plot.shown.value;
      const drawn = shown?.model ?? shown?.svg;
      // Zooming does not change the plot.
      if (drawn === undefined || drawn === told || store.selection.content.peek().kind !== 'object') return;
      if (chosen?.kind !== 'key') return;
      told = drawn;
      const { path, className } = chosen.key;
      const tell = (loaded: Partial<typeof import('./stored-bins')>): void => {
        if (told === drawn)
          emit('plot', {
            kind: 'object',
            path,
            className,
            ...loaded.storedBins?.(shown?.of, store.plot.look.peek().how),
          });
      };
      import('./stored-bins').then(tell, tell);
    }),
    effect(() => {
      if (store.rows.value) emit('rows', store.rows.value);
    }),
    effect(() => {
      const report = store.report.value;
      if (report === undefined) return;
      import('../../report/plain').then(
        ({ plainReport }) => {
          if (store.report.peek() === report) emit('report', plainReport(report));
        },
        () => {},
      );
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
