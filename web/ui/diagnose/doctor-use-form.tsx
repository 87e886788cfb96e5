import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { DoctorUse } from '../../insight/doctor/doctor-use';
import { Choice } from '../widgets/segmented-control';

/** The use that a link asks for: branches by name, or what is drawn. */
export function askedUse(params: string): DoctorUse | undefined {
  const query = new URLSearchParams(params);
  const branches = query.get('branches')?.trim();
  if (branches) return { name: branches, branches: [branches] };
  const expr = query.get('draw')?.trim();
  return expr ? { name: expr, draw: { expr, cut: query.get('cut') ?? undefined } } : undefined;
}

/** Asks for which use the tree is judged. */
export function UseForm({ asked, onAsk }: { asked: string; onAsk(params: string): void }): JSX.Element {
  const query = new URLSearchParams(asked);
  const draws = useSignal(query.has('draw'));
  const text = useSignal(query.get('branches') ?? query.get('draw') ?? '');
  const cut = useSignal(query.get('cut') ?? '');
  const field = (label: string, value: typeof text, placeholder: string) => (
    <label class="field">
      {label}
      <input
        type="text"
        size={28}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.peek().trim();
        const next = new URLSearchParams(wanted === '' ? [] : [[draws.peek() ? 'draw' : 'branches', wanted]]);
        if (draws.peek() && wanted !== '' && cut.peek().trim() !== '') next.set('cut', cut.peek().trim());
        onAsk(next.toString());
      }}
    >
      <Choice
        label="Judge for"
        options={[
          ['branches', 'Branches'],
          ['draw', 'A drawing'],
        ]}
        value={draws.value ? 'draw' : 'branches'}
        onChange={(next) => (draws.value = next === 'draw')}
      />
      {draws.value
        ? field('Draw', text, 'sqrt(px*px+py*py)')
        : field('Branches that are read', text, 'Muon_*, MET_pt')}
      {draws.value && field('Where', cut, 'nMuon == 2')}
      <button type="submit">Judge</button>
    </form>
  );
}
