import type { KeyedCommand } from '../command';
import type { Stage } from './gestures';
import { movedSpan, spanOf, type View, zoomedSpan } from './view';

/** Part of its length by which one key moves an axis. */
const STEP = 0.1;

const moves: Record<string, readonly ['x' | 'y', number]> = {
  ArrowLeft: ['x', STEP],
  ArrowRight: ['x', -STEP],
  ArrowUp: ['y', -STEP],
  ArrowDown: ['y', STEP],
};

function zoom({ frame, axes, look }: Stage, factor: number): void {
  const view: View = {};
  for (const axis of axes) {
    const span = spanOf(frame, axis);
    view[axis] = zoomedSpan(span, (span[0] + span[1]) / 2, factor);
  }
  look(view);
}

export const plotKeys: readonly KeyedCommand<Stage>[] = [
  {
    id: 'chart.move',
    label: 'Move along the axes',
    kind: 'Plot',
    keys: Object.keys(moves),
    run({ frame, look }, key = '') {
      const [axis, part] = moves[key] ?? ['x', 0];
      const span = spanOf(frame, axis);
      look({ [axis]: movedSpan(span, (span[1] - span[0]) * part) });
    },
  },
  {
    id: 'chart.zoom-in',
    label: 'Show less, larger',
    kind: 'Plot',
    keys: ['+', '='],
    run: (stage) => zoom(stage, 0.7),
  },
  {
    id: 'chart.zoom-out',
    label: 'Show more, smaller',
    kind: 'Plot',
    keys: ['-'],
    run: (stage) => zoom(stage, 1 / 0.7),
  },
  {
    id: 'chart.value',
    label: 'The value to the left or to the right',
    kind: 'Plot',
    keys: [',', '.'],
    run: (stage, key) => stage.step(key === ',' ? -1 : 1),
  },
  {
    id: 'chart.back',
    label: 'The range before',
    kind: 'Plot',
    keys: ['Backspace', 'Control+z'],
    run: (stage) => stage.stepBack('back'),
  },
  {
    id: 'chart.forward',
    label: 'The next range',
    kind: 'Plot',
    keys: ['Control+y', 'Control+Shift+z'],
    run: (stage) => stage.stepBack('forward'),
  },
  {
    id: 'chart.reset',
    label: 'Everything again',
    kind: 'Plot',
    keys: ['0'],
    run: (stage) => stage.reset(),
  },
];
