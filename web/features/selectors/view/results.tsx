import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { PartialNote } from '../../../api/api';
import type { ProcessResult } from '../../../api/selector';
import { Partial } from '../../../ui/plot/results';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Choice } from '../../../ui/widgets/segmented-control';
import { processedOf, shownState } from '../work/gathered';
import { Shown } from './shown-kinds';

interface ResultsProps {
  store: ViewerStore;
  result: ProcessResult;
  /** Files in which the code failed. */
  mistakes: PartialNote | undefined;
  running: boolean;
  /** Whether the files of a list were read. */
  isList: boolean;
  theme: 'light' | 'dark';
  onAgain(): void;
}

/** The results of a selector, one member at a time. */
export function Results({
  store,
  result,
  mistakes,
  running,
  isList,
  theme,
  onAgain,
}: ResultsProps): JSX.Element {
  const chosen = useSignal('');
  const made = useMemo(() => processedOf(result), [result]);
  const names = Object.keys(made);
  const name = names.includes(chosen.value) ? chosen.value : (names[0] ?? '');
  const one = shownState(result.state)[name];
  return (
    <>
      <Partial note={mistakes} parts="files" became="have entries in which the code failed" />
      <Partial note={result.partial} parts={isList ? 'files' : 'baskets'} onAgain={onAgain} />
      {names.length > 1 && (
        <Choice
          label="Result"
          options={names.map((one) => [one, one] as const)}
          value={name}
          onChange={(next) => {
            chosen.value = next;
          }}
        />
      )}
      {one && <Shown key={name} {...{ store, name, one, value: made[name], running, theme }} />}
    </>
  );
}
