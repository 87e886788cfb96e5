import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import { DARK_PALETTE, drawingSvg, PALETTE } from '../../../plot/drawing/drawing';
import { Painted } from '../../../ui/plot/painted';
import { savePng, saveText } from '../../../ui/save/save-blob';
import { SaveButtons } from '../../../ui/save/save-buttons';
import { Check } from '../../../ui/widgets/segmented-control';
import { type EventMark, eventPicture } from '../work/event-drawing';
import type { EventObjects } from '../work/objects';

interface EventFigureProps {
  title: string;
  /** All collections that can be drawn, and the names of those that are. */
  all: readonly EventObjects[];
  drawn: readonly string[];
  theme: 'light' | 'dark';
  onDrawn(names: readonly string[]): void;
}

/** Distance from a mark in pixels within which the pointer finds it. */
const NEAR = 6;
/** Width of the picture, and number of collections that are offered at once. */
const WIDEST = 1000;
const OFFERED = 24;

/** The objects of an entry, drawn, with a choice of the collections. The pointer tells what is below it. */
export function EventFigure({ title, all, drawn, theme, onDrawn }: EventFigureProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDEST);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.min(WIDEST, Math.max(300, element.clientWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const shown = all.filter(({ name }) => drawn.includes(name));
  const key = `${width} ${drawn.join()}`;
  const picture = useMemo(() => eventPicture(title, shown, width), [title, all, key]);
  const [under, setUnder] = useState<{ mark: EventMark; x: number; y: number } | undefined>(undefined);
  const point = (event: PointerEvent) => {
    const canvas = (event.currentTarget as HTMLElement).querySelector('canvas');
    if (canvas === null) return;
    const box = canvas.getBoundingClientRect();
    const scale = picture.drawing.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const mark = nearest(picture.marks, x, y);
    setUnder(mark && { mark, x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const save = async (form: 'svg' | 'png'): Promise<void> => {
    const svg = drawingSvg(picture.drawing);
    if (form === 'png') await savePng(`${title}.png`, svg);
    else saveText(`${title}.svg`, svg, 'image/svg+xml');
  };
  const toggle = (name: string) =>
    onDrawn(drawn.includes(name) ? drawn.filter((one) => one !== name) : [...drawn, name]);
  const offered = all.filter(({ name }, i) => i < OFFERED || drawn.includes(name));
  return (
    <figure class="event-figure">
      <div class="plot-line">
        <fieldset class="event-choice">
          <legend class="hint">Drawn</legend>
          {offered.map(({ name, objects, isMissing }) => (
            <Check
              key={name}
              label={isMissing ? name : `${name} (${formatCount(objects.length)})`}
              on={drawn.includes(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </fieldset>
        <SaveButtons onSave={save} />
      </div>
      <div
        class="event-stage"
        ref={host}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setUnder(undefined)}
      >
        <Painted
          drawing={picture.drawing}
          name={`${title}: objects in eta and phi, and across the beam`}
          palette={theme === 'dark' ? DARK_PALETTE : PALETTE}
        />
        {under && (
          <output class="event-tip" style={{ left: `${under.x}px`, top: `${under.y}px` }}>
            {under.mark.text}
          </output>
        )}
      </div>
    </figure>
  );
}

/** Returns the mark at a place. Of several, the smallest is meant. */
function nearest(marks: readonly EventMark[], x: number, y: number): EventMark | undefined {
  const distance = (mark: EventMark) =>
    Math.hypot(Math.max(0, Math.abs(mark.x - x) - (mark.half ?? 0)), mark.y - y);
  return marks
    .filter((mark) => distance(mark) <= mark.radius + NEAR)
    .sort((a, b) => a.radius - b.radius || distance(a) - distance(b))[0];
}
