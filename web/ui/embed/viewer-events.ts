import { effect } from '@preact/signals';
import { XylemError } from '../base/errors';
import { modelOfFilled } from '../plot/filled';
import { modelOfHistogram, withCountErrors } from '../plot/model';
import { modelOfObject } from '../plot/stored';
import { plotSvg } from '../plot/svg';
import { drawnForm } from './object-panel';
import type { ViewerEvents } from './viewer-event-types';
import type { ViewerStore } from './viewer-state';

/** Tells of what happens in a viewer until the function that it gives is called. */
export function watchViewer(
  store: ViewerStore,
  emit: <K extends keyof ViewerEvents>(name: K, detail: ViewerEvents[K]) => void,
): () => void {
  const stops = [
    effect(() => {
      const open = store.file.value;
      if (open !== null) emit('open', open.info);
    }),
    effect(() => {
      const chosen = store.selection.value;
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
      const content = store.content.value;
      const chosen = store.selection.peek();
      if (content.kind === 'draw' && !content.reading && chosen?.kind === 'branch') {
        const { key, branch } = chosen;
        emit('plot', { kind: 'branch', path: key.path, branch: branch.path, result: content.result });
      } else if (content.kind === 'query' && !content.reading && chosen?.kind === 'key') {
        const { query, result } = content;
        emit('plot', { kind: 'query', path: chosen.key.path, expr: query.expr, cut: query.cut, result });
      } else if (content.kind === 'object' && chosen?.kind === 'key') {
        const { path, className } = chosen.key;
        if (modelOfObject(content.object) !== undefined) emit('plot', { kind: 'object', path, className });
      }
    }),
    effect(() => {
      for (const { progress } of store.activities.list.value) if (progress) emit('progress', progress);
    }),
    effect(() => {
      const content = store.content.value;
      const error = store.openError.value ?? (content.kind === 'failed' ? content.error : null);
      if (error !== null) emit('error', error);
    }),
    effect(() => {
      if (store.file.value !== null) emit('state', { ...store.pageState.value, ...store.shownState.value });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The plot that a viewer shows, as SVG. Throws NOT_FOUND when it shows none. */
export function viewerSvg(store: ViewerStore): string {
  const content = store.content.peek();
  const look = store.look.peek();
  const drawn = content.kind === 'draw' && content.result.kind === 'histogram' ? content.result : undefined;
  const stored = content.kind === 'object' ? modelOfObject(content.object) : undefined;
  const filled =
    content.kind === 'query' && content.result.kind === 'filled' ? modelOfFilled(content.result) : undefined;
  const model = drawn ? modelOfHistogram(drawn) : (filled ?? (stored && drawnForm(stored, look.rebin)));
  if (model === undefined) {
    throw new XylemError({
      code: 'NOT_FOUND',
      message: 'No plot is shown.',
      fix: 'Choose a branch of numbers, or a stored histogram or graph, and wait until it is drawn.',
    });
  }
  return plotSvg(model.kind === 'bins' && look.errors ? withCountErrors(model) : model, { log: look.log });
}
