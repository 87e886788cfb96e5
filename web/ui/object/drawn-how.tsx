import type { PlainObject } from '../../api/api';
import { axesOfMany, type ProjectedAxis, type Projection, parseProjection } from '../../bins/project';
import { isBinsClass, isMapClass } from '../../plot/stored/classes';
import { isStyled, PLAIN } from '../../plot/stored/style';
import type { ViewerStore } from '../state/viewer-state';
import { Check, Select } from '../widgets/segmented-control';
import { useTyped } from '../widgets/use-typed';
import { SOLID_WAY } from './jsroot-place';

export interface DrawnHowProps {
  store: ViewerStore;
  object: PlainObject;
}

/**
 * Choices of how an object is drawn: a stack on top of each other or not, a map as cells or contours, an object with
 * many axes by the axes to show.
 */
export function DrawnHow({ store, object }: DrawnHowProps): JSX.Element | null {
  const look = store.plot.look.value;
  const set = (how: string) => {
    store.plot.look.value = { ...look, how };
  };
  if (object._typename === 'THStack') {
    return <Check label="Stacked" on={look.how !== 'nostack'} onChange={(on) => set(on ? '' : 'nostack')} />;
  }
  if (isBinsClass(object._typename)) return <BinsForm how={look.how} object={object} onChange={set} />;
  if (isMapClass(object._typename)) {
    const show = (how: string) => {
      set(how);
      if (SOLID_FORMS.some(([option]) => option === how)) store.plot.way.value = SOLID_WAY;
    };
    return <MapForm how={look.how} object={object} hasSolid={store.jsroot !== undefined} onChange={show} />;
  }
  const axes = axesOfMany(object);
  return axes === undefined ? null : <Axes axes={axes} how={look.how} onChange={set} />;
}

/** Ways to draw a histogram with two axes, by ROOT's options. */
const FORMS: readonly [option: string, name: string][] = [
  ['col', 'Cells'],
  ['cont', 'Contours'],
  ['cont1', 'Contour lines'],
  ['candlex3', 'Candles along x'],
  ['candley3', 'Candles along y'],
  ['violinx1', 'Violins along x'],
  ['violiny1', 'Violins along y'],
];

/** Ways to draw a histogram with one axis, by ROOT's options. */
const BINS_FORMS: readonly [option: string, name: string][] = [
  [PLAIN, 'Steps'],
  ['hist', 'Steps in its style'],
  ['bar', 'Bars'],
  ['hbar', 'Lying bars'],
  ['p', 'Points'],
  ['e1', 'Points with errors'],
  ['e2', 'Boxes of errors'],
  ['c', 'Curve'],
];

function BinsForm({ how, object, onChange }: MapFormProps): JSX.Element {
  const own = typeof object.fOption === 'string' ? object.fOption : '';
  const stored: [string, string] = ['', own.trim() === '' ? 'As stored' : `As stored: ${own.slice(0, 20)}`];
  const forms = isStyled(object, '')
    ? [stored, ...BINS_FORMS]
    : [['', 'Steps'] as const, ...BINS_FORMS.slice(2)];
  const known = forms.some(([option]) => option === how);
  return (
    <Select
      label="As"
      options={known ? forms : [...forms, [how, how.toUpperCase()] as const]}
      value={how}
      onChange={onChange}
    />
  );
}

/** Views in three dimensions, which another way to show an object draws. */
const SOLID_FORMS: readonly [option: string, name: string][] = [
  ['lego2', 'Lego, by JSROOT'],
  ['surf1', 'Surface, by JSROOT'],
];

interface MapFormProps {
  how: string;
  object: PlainObject;
  onChange(how: string): void;
}

function MapForm({ how, object, hasSolid, onChange }: MapFormProps & { hasSolid: boolean }): JSX.Element {
  const own = typeof object.fOption === 'string' ? object.fOption : '';
  const isOther = (option: string) => /cont|candle|violin/i.test(option);
  const stored = isOther(own) ? own.toLowerCase() : 'col';
  const now = isOther(how) ? how.toLowerCase() : how === '' ? stored : 'col';
  const known = [...FORMS, ...(hasSolid && object._typename !== 'TF2' ? SOLID_FORMS : [])];
  const forms = known.some(([option]) => option === now)
    ? known
    : [...known, [now, now.toUpperCase()] as const];
  return (
    <Select
      label="As"
      options={forms}
      value={now}
      onChange={(value) => onChange(value === stored ? '' : value)}
    />
  );
}

interface AxesProps {
  axes: readonly ProjectedAxis[];
  how: string;
  onChange(how: string): void;
}

function Axes({ axes, how, onChange }: AxesProps): JSX.Element {
  const now = projectionOf(how, axes);
  const { slices } = now;
  const [across = 0, up] = now.axes;
  const change = (next: Partial<Projection>) => onChange(textOf({ ...now, ...next }, axes));
  const choose = (wanted: number[]) =>
    change({ axes: wanted, slices: new Map([...slices].filter(([i]) => !wanted.includes(i))) });
  const names = axes.map(({ name }, i): [number, string] => [i, name]);
  const others = axes.map((_, i) => i).filter((i) => !now.axes.includes(i));
  return (
    <>
      <Select
        label="Across"
        value={across}
        options={names}
        onChange={(i) => choose([i, ...(up === undefined || up === i ? [] : [up])])}
      />
      <Select
        label="Up"
        value={up ?? -1}
        options={[[-1, 'none'], ...names.filter(([i]) => i !== across)]}
        onChange={(i) => choose(i < 0 ? [across] : [across, i])}
      />
      {others.map((i) => (
        <Slice
          key={i}
          axis={axes[i] as ProjectedAxis}
          slice={slices.get(i)}
          onChange={(slice) => {
            const next = new Map(slices);
            if (slice === undefined) next.delete(i);
            else next.set(i, slice);
            change({ slices: next });
          }}
        />
      ))}
    </>
  );
}

function projectionOf(how: string, axes: readonly ProjectedAxis[]): Projection {
  try {
    return parseProjection(how, axes);
  } catch {
    return parseProjection('', axes);
  }
}

function textOf({ axes: chosen, slices }: Projection, axes: readonly ProjectedAxis[]): string {
  const names = chosen.map((i) => axes[i]?.name ?? '').join(',');
  return [names, ...[...slices].map(([i, [from, to]]) => `${axes[i]?.name}=${from}:${to}`)].join(';');
}

interface SliceProps {
  axis: ProjectedAxis;
  slice: [number, number] | undefined;
  onChange(slice: [number, number] | undefined): void;
}

/**
 * Choice of the bins of an axis that is not drawn. The first bin is 1. Without a choice all bins are used, including
 * under- and overflow.
 */
function Slice({ axis: { name, bins }, slice, onChange }: SliceProps): JSX.Element {
  const text = slice === undefined ? '' : slice[0] === slice[1] ? String(slice[0]) : slice.join(':');
  const typed = useTyped(text, (bounds) => {
    const [, from, to = from] = /^(\d+)\s*(?::\s*(\d+))?$/.exec(bounds) ?? [];
    const [low, high] = [Number(from), Number(to)];
    onChange(low >= 1 && high >= low && high <= bins ? [low, high] : undefined);
  });
  return (
    <label class="number-field">
      <span>{name}</span>
      <input
        type="text"
        size={7}
        {...typed}
        placeholder={`1:${bins}`}
        title={`Bins of ${name}, as 2:5; empty for all, with under- and overflow`}
      />
    </label>
  );
}
