import { useState } from 'preact/hooks';
import type { PlainValue } from '../../api/api';
import { formatCount } from '../../base/format';
import { isObject, joined, kindOf } from '../contents/items';
import { MoreRows } from '../widgets/table-parts';

/** Number of members of a long array or object that are shown at once. */
const PAGE_SIZE = 100;
const LONG_TEXT = 2000;

/** Shows any value as a tree of members, which is opened level by level. Text only. */
export function Inspector({ value, onDraw }: { value: PlainValue; onDraw?: Draw | undefined }): JSX.Element {
  return (
    <div class="inspector">
      <Members value={value} path="" onDraw={onDraw} />
    </div>
  );
}

/** Draws a member. The path has the names of members from the object down. */
type Draw = (path: string) => void;

interface MembersProps {
  value: PlainValue;
  path: string;
  onDraw: Draw | undefined;
}

function Members({ value, path, onDraw }: MembersProps): JSX.Element {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const names = memberNames(value);
  const total = names?.length ?? lengthOf(value);
  const shown = Math.min(limit, total);
  return (
    <ul>
      {Array.from({ length: shown }, (_, i) => {
        const name = names?.[i] ?? String(i);
        const member = memberOf(value, names === undefined ? i : name);
        return <Member key={name} name={name} value={member} path={joined(path, name)} onDraw={onDraw} />;
      })}
      {shown < total && (
        <li>
          <MoreRows left={total - shown} onMore={() => setLimit(limit * 4)} />
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, path, onDraw }: MembersProps & { name: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  if (typeof value !== 'object' || value === null || sizeOf(value) === 0) {
    return (
      <li>
        <span class="member">{name}</span> <Scalar value={value} />
      </li>
    );
  }
  return (
    <li>
      <button type="button" class="unfold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="member">{name}</span> <span class="kind">{describe(value)}</span>
      </button>
      {onDraw !== undefined && isObject(value) && /^(plot|drawing)$/.test(kindOf(value)) && (
        <button type="button" class="link draw" onClick={() => onDraw(path)}>
          Draw
        </button>
      )}
      {open && <Members value={value} path={path} onDraw={onDraw} />}
    </li>
  );
}

function Scalar({ value }: { value: PlainValue }): JSX.Element {
  if (typeof value === 'string') {
    const cut = value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT)}…` : value;
    return <span class="text">“{cut}”</span>;
  }
  if (typeof value === 'object' && value !== null) return <span class="kind">{describe(value)}</span>;
  return <span class="scalar">{String(value)}</span>;
}

type Compound = Exclude<PlainValue, null | boolean | number | bigint | string>;

function describe(value: Compound): string {
  if (Array.isArray(value)) return `array of ${formatCount(value.length)}`;
  if (ArrayBuffer.isView(value)) return `${formatCount(value.length)} numbers`;
  const type = value._typename;
  const size = Object.keys(value).length;
  return typeof type === 'string' ? type : size === 0 ? 'empty' : `${formatCount(size)} members`;
}

function sizeOf(value: Compound): number {
  return memberNames(value)?.length ?? lengthOf(value);
}

/** Returns the names of an object's members; undefined for arrays, whose members are numbered. */
function memberNames(value: PlainValue): string[] | undefined {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return undefined;
  return Object.keys(value).filter((name) => name !== '_typename');
}

function lengthOf(value: PlainValue): number {
  return Array.isArray(value) || ArrayBuffer.isView(value) ? value.length : 0;
}

function memberOf(value: PlainValue, name: string | number): PlainValue {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value[Number(name)] ?? null;
  if (ArrayBuffer.isView(value)) return value[Number(name)] ?? null;
  return value[name] ?? null;
}
