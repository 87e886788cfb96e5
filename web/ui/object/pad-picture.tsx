import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PlainObject } from '../../api/api';
import { drawingSvg, PALETTE } from '../../plot/drawing/drawing';
import { paintDrawing } from '../../plot/drawing/drawing-canvas';
import { readableLatex } from '../../plot/drawing/latex';
import { canvasPicture } from '../../plot/pads/canvas';
import type { ViewerStore } from '../state/viewer-state';
import { savePng, saveText } from '../widgets/save';
import { SaveButtons } from '../widgets/save-buttons';
import { useSamples } from './samples';

export interface PadPictureProps {
  store: ViewerStore;
  object: PlainObject;
  /** The tabs that choose how the object is shown. */
  tabs: JSX.Element;
}

/** A canvas as ROOT draws it, on white in both themes, because files set their own colours for it. */
export function PadPicture({ store, object, tabs }: PadPictureProps): JSX.Element {
  const samples = useSamples(store, object);
  const picture = useMemo(() => samples && canvasPicture(object, samples), [object, samples]);
  useEffect(() => {
    store.plot.shown.value =
      picture === undefined ? null : { of: object, model: undefined, svg: drawingSvg(picture.drawing) };
    return () => {
      store.plot.shown.value = null;
    };
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
      <figure class="plot pad-picture" part="plot">
        <div class="plot-line">
          <SaveButtons onSave={save} />
        </div>
        <Painted drawing={drawing} name={name} />
      </figure>
      {missing.length > 0 && (
        <div class="hint" role="note">
          Not drawn here:
          <ul>
            {missing.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

type Drawn = ReturnType<typeof canvasPicture>['drawing'];

/** The drawing on a canvas as wide as its place, at most as large as it was stored and a half. */
function Painted({ drawing, name }: { drawing: Drawn; name: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const [place, element] = [host.current, canvas.current];
    if (place === null || element === null) return;
    const draw = () => {
      // An element that shows a plot alone has a height to keep.
      const tall = place.closest('.only-plot') ? place.clientHeight : Number.POSITIVE_INFINITY;
      const fitting = Math.min(
        place.clientWidth,
        drawing.width * 1.5,
        (tall * drawing.width) / drawing.height,
      );
      const wide = Math.max(60, fitting);
      const scale = wide / drawing.width;
      const ratio = devicePixelRatio * scale;
      element.width = Math.round(drawing.width * ratio);
      element.height = Math.round(drawing.height * ratio);
      element.style.width = `${wide}px`;
      element.style.height = `${drawing.height * scale}px`;
      const ctx = element.getContext('2d');
      if (ctx === null) return;
      ctx.fillStyle = PALETTE.paper;
      ctx.fillRect(0, 0, element.width, element.height);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintDrawing(ctx, drawing, { palette: PALETTE, fontFamily: 'sans-serif' });
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(place);
    return () => observer.disconnect();
  }, [drawing]);
  return (
    <div class="pad-stage" ref={host} role="img" aria-label={`Picture of ${name}`}>
      <canvas ref={canvas} />
    </div>
  );
}
