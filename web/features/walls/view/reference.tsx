import { formatCount } from '../../../base/format';
import { lineInk } from '../../../plot/drawing/drawing';
import { OtherFile } from '../../../ui/other-file';
import { Swatch } from '../../../ui/plot/plot-legend';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Icon } from '../../../ui/widgets/icons';
import { Check } from '../../../ui/widgets/segmented-control';
import { useTyped } from '../../../ui/widgets/use-typed';
import { layerFiles } from '../../layers/view/layer-files';
import { NOTHING_COMPARED, resultsText, type WallResults } from '../work/results';
import type { WallParams } from './wall-params';

/** Results of plots, and the number of plots that have not been read yet. */
export type Results = WallResults & { unread: number };

interface ReferenceProps {
  store: ViewerStore;
  params: WallParams;
  /** Mistake in the thresholds. */
  mistake: string | undefined;
  /** Undefined without a reference. */
  results: Results | undefined;
  /** Whether plots that need attention are shown. */
  hasAlarms: boolean;
  onAlarm(by: 1 | -1): void;
  onChange(change: Partial<WallParams>): void;
}

/** The choice of the file that all plots are compared with, and of the thresholds for marking plots. */
export function Reference(props: ReferenceProps): JSX.Element {
  const { reference } = props.params;
  return reference === undefined ? <Choose {...props} /> : <Compared {...props} reference={reference} />;
}

/** The condition that is offered while none is set. */
const FIRST_CONDITION = 'chi2<0.01';

const TESTS =
  "The figures are probabilities of ROOT's Chi2Test and KolmogorovTest, and the bins outside of a band around the reference.";

function Compared({
  store,
  params: { fail, band, area },
  reference,
  mistake,
  results,
  hasAlarms,
  onAlarm,
  onChange,
}: ReferenceProps & { reference: string }): JSX.Element {
  const title = layerFiles(store).titleOf(reference);
  const mark = useTyped(fail, (fail) => onChange({ fail }));
  const width = useTyped(String(band), (text) =>
    onChange({ band: text !== '' && Number(text) >= 0 ? Number(text) : 0.1 }),
  );
  const { unread = 0, compared = 0 } = results ?? {};
  const reading = unread > 0 ? `, ${formatCount(unread)} not read yet` : '';
  const isNothing = results !== undefined && unread === 0 && compared === 0;
  return (
    <>
      <div class="controls wall-controls">
        <span class="hint" title={`${TESTS} ${title}`}>
          Compared with <b>{title.replace(/^.*\/(?=.)/s, '')}</b>{' '}
          <button
            type="button"
            class="link"
            onClick={() => onChange({ reference: undefined, sort: 'file', state: undefined })}
          >
            Remove the reference
          </button>
        </span>
        <label class="number-field">
          <span>Mark where</span>
          <input
            type="text"
            size={24}
            {...mark}
            placeholder="no condition"
            title="Conditions with commas between them, as chi2<0.01, ks<0.01, chi2/ndf>3, distance>0.1, ratio>0.2, pull>5, outside>0.05, missing"
          />
        </label>
        {fail.trim() === '' && (
          <span class="hint">
            No condition is set.{' '}
            <button
              type="button"
              class="link"
              title="Mark plots whose probability of Chi2Test is below 0.01"
              onClick={() => onChange({ fail: FIRST_CONDITION })}
            >
              {FIRST_CONDITION}
            </button>
          </span>
        )}
        <label class="number-field">
          <span>Band</span>
          <input
            type="number"
            min={0}
            step="any"
            class="short"
            {...width}
            title="Half-width of the band around the reference, as a part of it: 0.1 is 10 %"
          />
        </label>
        <Check label="Same area" on={area} onChange={(on) => onChange({ area: on })} />
      </div>
      <div class="wall-line">
        <span class="summary" role="status" aria-label="Comparison">
          {results && `${resultsText(results)}${reading}`}
        </span>
        {hasAlarms && (
          <span class="wall-alarms">
            <button
              type="button"
              class="quiet square"
              aria-label="Previous alarm"
              title="Previous alarm (P)"
              onClick={() => onAlarm(-1)}
            >
              <Icon name="chevron" />
            </button>
            Alarms
            <button
              type="button"
              class="quiet square"
              aria-label="Next alarm"
              title="Next alarm (N)"
              onClick={() => onAlarm(1)}
            >
              <Icon name="chevron" />
            </button>
          </span>
        )}
        <span class="wall-legend">
          <Swatch ink={lineInk(0)} /> this file <Swatch ink={lineInk(1)} /> the reference
        </span>
      </div>
      {isNothing && (
        <p class="hint bad" role="alert">
          {NOTHING_COMPARED}
        </p>
      )}
      {mistake !== undefined && (
        <p class="hint bad" role="alert">
          {mistake}
        </p>
      )}
    </>
  );
}

function Choose({ store, onChange }: ReferenceProps): JSX.Element {
  return (
    <details class="bins">
      <summary>Compare with a reference</summary>
      <OtherFile
        store={store}
        label="Address of the reference"
        action="Compare"
        onSource={(source) => onChange({ reference: layerFiles(store).srcOf(source), sort: 'worst' })}
      />
    </details>
  );
}
