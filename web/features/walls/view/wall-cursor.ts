import { cellAt, hitsOf } from '../../../plot/chart/hover';
import { paintedSize } from '../../../plot/chart/page-plot';
import { readoutOf } from '../../../plot/chart/readout';
import type { AnyPlot } from '../../../plot/model';
import { type Panel, type PanelOptions, panelsOf } from '../../../plot/panels';
import { plotRoom } from '../../../plot/plot-drawing';

/** The contents and axes of a small plot. */
interface Shown {
  model: AnyPlot;
  options: PanelOptions;
  panel?: Panel | undefined;
  /** The size for which the panel was laid out. */
  size?: string;
}

const plots = new WeakMap<Element, Shown>();
const MARKS = 'wall-cursor';

/** Registers for the crosshair what a place shows. */
export function setShown(place: Element, model: AnyPlot, options: PanelOptions): void {
  plots.set(place, { model, options });
}

export function forgetShown(place: Element): void {
  plots.delete(place);
  clear(place);
}

function clear(within: Element): void {
  for (const mark of within.querySelectorAll(`.${MARKS}`)) mark.remove();
}

/** Returns the upper panel of a small plot as it is painted now. */
function panelOf(place: Element, shown: Shown): Panel | undefined {
  const size = paintedSize(place);
  const key = `${size.width} ${size.height}`;
  if (shown.size !== key) {
    [shown.panel] = panelsOf(shown.model, plotRoom(size), shown.options);
    shown.size = key;
  }
  return shown.panel;
}

/**
 * Moves the crosshair of a wall: a line at the same x in all plots that contain it, each with its content there.
 * Without a pointer, or outside the frame of a plot, it is hidden.
 */
export function pointAt(
  wall: Element,
  pointer?: { clientX: number; clientY: number; target: Element },
): void {
  clear(wall);
  // The button that contains a plot receives the pointer events.
  const own = pointer?.target.closest('.wall-place')?.querySelector('.wall-plot');
  const shown = own && plots.get(own);
  const panel = shown && panelOf(own, shown);
  if (!pointer || !own || !panel) return;
  const { left, top } = own.getBoundingClientRect();
  const at = { x: pointer.clientX - left, y: pointer.clientY - top };
  const { box, x, y } = panel.frame;
  if (at.x < box.left || at.x > box.right || at.y < box.top || at.y > box.bottom) return;
  const value = { x: x.toValue(at.x), y: y.toValue(at.y), isMap: shown.model.kind === 'map' };
  for (const place of wall.querySelectorAll('.wall-plot')) mark(place, value, place === own ? at : undefined);
}

function mark(
  place: Element,
  value: { x: number; y: number; isMap: boolean },
  pointer: { x: number; y: number } | undefined,
): void {
  const shown = plots.get(place);
  const panel = shown && panelOf(place, shown);
  if (!panel) return;
  const { model } = shown;
  const { frame } = panel;
  const { box } = frame;
  const isMap = model.kind === 'map';
  const across = isMap && value.isMap;
  const [low, high] = frame.x.spec.range;
  if (!(value.x >= low && value.x <= high)) return;
  const at = pointer ?? {
    x: frame.x.toPixel(value.x),
    y: across ? frame.y.toPixel(value.y) : (box.top + box.bottom) / 2,
  };
  put(place, `left:${at.x}px;top:${box.top}px;height:${box.bottom - box.top}px`);
  if (across && at.y >= box.top && at.y <= box.bottom)
    put(place, `left:${box.left}px;top:${at.y}px;width:${box.right - box.left}px`);
  // If only x is shared, a map has no content for it.
  if (isMap && !across) return;
  const hit = { hits: hitsOf(model, panel, at), cell: cellAt(model, frame, at) };
  const lines = readoutOf(model, panel.layers, hit).split('\n');
  // The position is shown once, at the pointer.
  const text = pointer ? lines : lines.slice(isMap ? 2 : 1);
  if (text.join('') !== '')
    put(place, `right:${place.clientWidth - box.right + 2}px;top:${box.top}px`, text.join('\n'));
}

function put(place: Element, style: string, text = ''): void {
  const one = place.ownerDocument.createElement('span');
  one.className = MARKS;
  one.style.cssText = style;
  one.textContent = text;
  place.append(one);
}
