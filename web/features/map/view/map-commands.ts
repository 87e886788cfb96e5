import type { KeyedCommand } from '../../../plot/command';
import type { MapWindow } from '../work/file-map-window';

/** The object on which keys of the map act. */
export interface MapKeys {
  window: MapWindow;
  /** Outlines the piece after (1) or before (-1) the outlined one. */
  step(by: 1 | -1): void;
  /** Goes to the object or branch of the outlined piece. */
  follow(): void;
}

type Move = (window: MapWindow) => void;

const moves: Record<string, Move> = {
  ArrowUp: (window) => window.move(-window.rowBytes),
  ArrowDown: (window) => window.move(window.rowBytes),
  ArrowLeft: (window) => window.move(-window.rowBytes / 10),
  ArrowRight: (window) => window.move(window.rowBytes / 10),
  PageUp: (window) => window.move(-window.rows * window.rowBytes),
  PageDown: (window) => window.move(window.rows * window.rowBytes),
  Home: (window) => window.moveTo(0),
  End: (window) => window.moveTo(Number.MAX_SAFE_INTEGER),
};

export const mapCommands: readonly KeyedCommand<MapKeys>[] = [
  {
    id: 'map.move',
    label: 'Move in the file',
    kind: 'Map',
    keys: Object.keys(moves),
    run: ({ window }, key = '') => moves[key]?.(window),
  },
  {
    id: 'map.zoom-in',
    label: 'Show fewer bytes, larger',
    kind: 'Map',
    keys: ['+', '='],
    run: ({ window }) => window.zoomAt(2, window.middle()),
  },
  {
    id: 'map.zoom-out',
    label: 'Show more bytes, smaller',
    kind: 'Map',
    keys: ['-'],
    run: ({ window }) => window.zoomAt(0.5, window.middle()),
  },
  {
    id: 'map.whole',
    label: 'Show the whole file',
    kind: 'Map',
    keys: ['0'],
    run: ({ window }) => window.showWhole(),
  },
  {
    id: 'map.next',
    label: 'Outline the next piece, or the one before',
    kind: 'Map',
    keys: ['n', 'p'],
    run: (map, key) => map.step(key === 'p' ? -1 : 1),
  },
  {
    id: 'map.follow',
    label: 'Go to what is outlined',
    kind: 'Map',
    keys: ['Enter'],
    run: (map) => map.follow(),
  },
];
