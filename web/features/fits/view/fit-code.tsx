import { useCallback, useMemo, useState } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import type { Places } from '../../../ui/part';
import type { OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { UsePrograms } from '../../snippets/view/code-snippets';
import { ProgramTabs, type ShownProgram } from '../../snippets/view/program-tabs';
import type { Use } from '../../snippets/work/use';
import type { Fitted } from '../work/fit';
import { optionsOfText, parseFitText } from '../work/fit-text';
import { type FitSource, fitPrograms } from '../work/programs/program';
import { fittedOf } from './use-fit';

const SUMMARY = 'This fit in ROOT, iminuit';

/** Programs of other tools that fill the same histogram and fit the same function. */
export function FitCode(props: Places['histogram']): JSX.Element {
  const { store, histogram } = props;
  const text = store.plot.look.value.fit;
  const programs = useCallback(
    (use: Use) => written({ kind: 'drawn', use }, histogram, text),
    [histogram, text],
  );
  return <UsePrograms {...props} layers={undefined} summary={SUMMARY} programs={programs} />;
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

/** Returns the programs of all tools; for a fit that is not valid the reason. */
function written(source: FitSource, fitted: Fitted, text: string): readonly ShownProgram[] {
  const spec = parseFitText(text);
  const options = optionsOfText(spec);
  const none = (why: string): ShownProgram[] => [{ id: 'root', tool: 'ROOT', why }];
  if (typeof options === 'string') return none(options);
  if (spec.unbinned !== '')
    return none(
      'The values stay in workers of the page: "xylem draw … --fit-unbinned --code root" writes this program.',
    );
  try {
    return fitPrograms(source, fitted, spec.function, options);
  } catch (thrown) {
    const { message, fix = '' } = toXylemError(thrown);
    return none(`${message} ${fix}`);
  }
}
