import { useEffect, useMemo } from 'preact/hooks';
import { drawingSvg } from '../../../plot/drawing/drawing';
import { readableLatex } from '../../../plot/drawing/latex';
import { useSamples } from '../../../ui/object/samples';
import type { Places } from '../../../ui/part';
import { Painted } from '../../../ui/plot/painted';
import { showPlot } from '../../../ui/plot/shown-plot';
import { savePng, saveText } from '../../../ui/save/save-blob';
import { SaveButtons } from '../../../ui/save/save-buttons';
import { canvasPicture } from '../work/canvas';

/** A canvas as ROOT draws it, on white in both themes, because files set colours for a white background. */
export function PadPicture({ store, object, tabs, others }: Places['picture']): JSX.Element {
  const samples = useSamples(store, object);
  const picture = useMemo(() => samples && canvasPicture(object, samples), [object, samples]);
  useEffect(() => {
    if (picture) return showPlot(store, { of: object, model: undefined, svg: drawingSvg(picture.drawing) });
    store.plot.shown.value = null;
    return undefined;
  }, [store, object, picture]);
  if (picture === undefined)
    return (
      <>
        <div class="controls">{tabs}</div>
        <div class="placeholder" aria-busy="true" />
      </>
    );
  const { drawing, missing } = picture;
  const name = readableLatex(drawing.title);
  const save = async (form: 'svg' | 'png'): Promise<void> => {
    const svg = drawingSvg(drawing);
    if (form === 'png') await savePng(`${name}.png`, svg);
    else saveText(`${name}.svg`, svg, 'image/svg+xml');
  };
  return (
    <>
      <div class="controls">{tabs}</div>
      {missing.length > 0 && (
        <p class="hint" role="note">
          Not drawn here: {missing.join('; ')}.{' '}
          {others.map(({ label, choose }) => (
            <button type="button" class="link" key={label} onClick={choose}>
              {label}
            </button>
          ))}
        </p>
      )}
      <figure class="plot" part="plot">
        <div class="plot-line">
          <SaveButtons onSave={save} />
        </div>
        <Painted drawing={drawing} name={name} inHeight />
      </figure>
    </>
  );
}
