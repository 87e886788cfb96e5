import { useCallback, useMemo, useState } from 'preact/hooks';
import type { FitResult } from '../../../api/fit';
import { toXylemError } from '../../../base/errors';
import type { Places } from '../../../ui/part';
import type { DrawnLayer, OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { UsePrograms } from '../../snippets/view/code-snippets';
import { ProgramTabs, type ShownProgram } from '../../snippets/view/program-tabs';
import type { Use } from '../../snippets/work/use';
import type { Fitted } from '../work/fit';
import { optionsOfText, parseFitText, togetherOfText } from '../work/fit-text';
import {
  allTools,
  type FitProgram,
  type FitSource,
  fitProgram,
  togetherProgram,
  valuesProgram,
} from '../work/programs/program';
import { fittedOf, lastResult, partsOf } from './use-fit';

const SUMMARY = 'This fit in ROOT, iminuit';

/** Programs of other tools that fill the same histogram and fit the same function. */
export function FitCode(props: Places['histogram']): JSX.Element {
  const { store, histogram, layers } = props;
  const text = store.plot.look.value.fit;
  const spec = parseFitText(text);
  const isTogether = spec.shared !== '';
  const result = spec.unbinned === '' ? undefined : lastResult(store).value;
  const programs = useCallback(
    (use: Use) => {
      if (isTogether) return writtenTogether(use, layers ?? [], text);
      if (spec.unbinned === '') return written({ kind: 'drawn', use }, histogram, text);
      return result?.kind === 'fit'
        ? writtenValues(use, result, text)
        : none('The values are not fitted yet.');
    },
    [histogram, text, layers, result],
  );
  return (
    <UsePrograms {...props} layers={isTogether ? layers : undefined} summary={SUMMARY} programs={programs} />
  );
}

/** The same for a stored object. */
export function StoredFitCode({ store, own }: { store: ViewerStore; own: OwnPlot }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const text = store.plot.look.value.fit;
  const all = useMemo(() => {
    const open = store.session.file.peek();
    const address = open?.source.kind === 'url' ? open.source.url : (open?.info.name ?? '');
    const fitted = fittedOf(own, undefined, 1);
    const className = own.object?._typename ?? '';
    if (!isOpen || !fitted) return [];
    return written({ kind: 'stored', address, path: own.what, className }, fitted, text);
  }, [own, text, isOpen]);
  return (
    <details class="bins" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{SUMMARY}</summary>
      {isOpen && <ProgramTabs all={all} />}
    </details>
  );
}

const none = (why: string): ShownProgram[] => [{ id: 'root', tool: 'ROOT', why }];

/** Returns the programs; for a fit that is not valid the reason. */
function orReason(write: () => readonly FitProgram[]): readonly ShownProgram[] {
  try {
    return write();
  } catch (thrown) {
    const { message, fix = '' } = toXylemError(thrown);
    return none(`${message} ${fix}`);
  }
}

/** The programs of all tools that fit bins or points. */
function written(source: FitSource, fitted: Fitted, text: string): readonly ShownProgram[] {
  const spec = parseFitText(text);
  const options = optionsOfText(spec);
  if (typeof options === 'string') return none(options);
  return orReason(() => allTools((id) => fitProgram(id, source, fitted, spec.function, options)));
}

/** The same of values, which only the worker of the fit has. */
function writtenValues(use: Use, result: FitResult, text: string): readonly ShownProgram[] {
  const spec = parseFitText(text);
  const options = optionsOfText(spec);
  if (typeof options === 'string') return none(options);
  return orReason(() => allTools((id) => valuesProgram(id, use, result, spec.function, options)));
}

/** The same of layers together. */
function writtenTogether(use: Use, layers: readonly DrawnLayer[], text: string): readonly ShownProgram[] {
  const spec = parseFitText(text);
  const options = optionsOfText(spec);
  if (typeof options === 'string') return none(options);
  const together = togetherOfText(spec, layers.length);
  if (typeof together === 'string') return none(together);
  const { functions, shared } = together;
  return orReason(() => {
    const parts = partsOf(layers, functions);
    return allTools((id) => togetherProgram(id, use, parts, { ...options, shared }));
  });
}
