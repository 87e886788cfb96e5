import * as features from '../../features/page';
import type { PageItem, PagePart, Place, Places } from '../part';
import { type Lazy, lazy } from './lazy';

/** A component of a feature for a place, with its name in the list. */
interface SlotItem<P extends Place> extends Omit<PageItem<Places[P]>, 'load'> {
  id: string;
  /** Its component, which is loaded when it is first shown. */
  Shown: Lazy<Places[P]>;
}

/** A component that shows all that features give for a place; nothing before their code is loaded. */
export interface Slot<P extends Place> extends Lazy<Places[P]> {
  /** Whether no feature gives anything for the place. */
  isEmpty: boolean;
  /** The names under which features give something. */
  ids: readonly string[];
}

/** Returns what features give for a place, in its order. `quiet`: there is no placeholder while code is loaded. */
export function itemsAt<P extends Place>(place: P, quiet = false): SlotItem<P>[] {
  return Object.values<PagePart>(features)
    .flatMap(({ slots }) => Object.entries<PageItem<Places[P]>>(slots?.[place] ?? {}))
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([id, { load, ...item }]) => ({ id, ...item, Shown: lazy(load, false, quiet) }));
}

/** See `Slot`. */
export function slot<P extends Place>(place: P): Slot<P> {
  const items = itemsAt(place, true);
  const All = (props: Places[P]): JSX.Element => (
    <>
      {items.map(({ id, when, Shown }) => (when?.(props) === false ? null : <Shown key={id} {...props} />))}
    </>
  );
  return Object.assign(All, {
    isEmpty: items.length === 0,
    ids: items.map(({ id }) => id),
    warm: () => {
      for (const { Shown } of items) Shown.warm();
    },
  });
}
