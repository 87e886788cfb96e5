import { useSignal } from '@preact/signals';
import type { FileUse } from '../../../api/reading';
import { Choice } from '../../../ui/widgets/segmented-control';

/** Returns the use that a link asks for: branches by name, or a drawing. */
export function askedUse(params: string): FileUse | undefined {
  const query = new URLSearchParams(params);
  const branches = query.get('branches')?.trim();
  if (branches) return { name: branches, branches: [branches] };
  const expr = query.get('draw')?.trim();
  return expr ? { name: expr, draw: { expr, cut: query.get('cut') ?? undefined } } : undefined;
}

/** Whether a link asks for the use by the selector of the tab. */
export function asksSelector(params: string): boolean {
  return new URLSearchParams(params).has('selector');
}

type Kind = 'branches' | 'draw' | 'selector';

interface UseFormProps {
  asked: string;
  /** Whether selectors are available. */
  selects: boolean;
  onAsk(params: string): void;
}

/** A form for the use for which the tree is judged. */
export function UseForm({ asked, selects, onAsk }: UseFormProps): JSX.Element {
  const query = new URLSearchParams(asked);
  const kind = useSignal<Kind>(query.has('draw') ? 'draw' : query.has('selector') ? 'selector' : 'branches');
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
        const wanted = kind.peek() === 'selector' ? 'held' : text.peek().trim();
        const next = new URLSearchParams(wanted === '' ? [] : [[kind.peek(), wanted]]);
        const draws = kind.peek() === 'draw' && wanted !== '';
        if (draws && cut.peek().trim() !== '') next.set('cut', cut.peek().trim());
        onAsk(next.toString());
      }}
    >
      <Choice
        label="Judge for"
        options={[
          ['branches', 'Branches'],
          ['draw', 'A drawing'],
          ...(selects ? ([['selector', 'The selector']] as const) : []),
        ]}
        value={kind.value}
        onChange={(next) => (kind.value = next)}
      />
      {kind.value === 'draw' && field('Draw', text, 'sqrt(px*px+py*py)')}
      {kind.value === 'branches' && field('Branches that are read', text, 'Muon_*, MET_pt')}
      {kind.value === 'selector' && <span class="hint">The one in the tab Selector.</span>}
      {kind.value === 'draw' && field('Where', cut, 'nMuon == 2')}
      <button type="submit">Judge</button>
    </form>
  );
}
