import { formatCount } from '../../../base/format';
import { type Drawing, drawingSvg } from '../../../plot/drawing/drawing';
import type { Report } from '../../../report/report';
import type { EntryCard } from './card';
import { eventPicture } from './event-drawing';
import type { EventObjects } from './objects';

/** The picture of a card, for files. */
export const cardDrawing = ({ entry, tree }: EntryCard, drawn: readonly EventObjects[]): Drawing =>
  eventPicture(`Entry ${formatCount(entry)} of ${tree}`, drawn).drawing;

/** Returns a report of a card with the picture of these collections, if there are any. */
export function withPicture(report: Report, card: EntryCard, drawn: readonly EventObjects[]): Report {
  if (drawn.length === 0) return report;
  const drawing = cardDrawing(card, drawn);
  const svg = (id: string): string => drawingSvg(drawing, { id });
  return { ...report, pictures: [{ title: drawing.title, svg, isFirst: true }] };
}
