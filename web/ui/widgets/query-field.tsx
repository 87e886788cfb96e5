// biome-ignore-all lint/a11y/noRedundantRoles: an input is a combobox by itself only where it has a datalist
import { useSignal } from '@preact/signals';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../api/api';
import { readableLatex } from '../../plot/drawing/latex';
import type { Completion, Completions } from '../../query/completion';

interface QueryFieldProps {
  /** Distinguishes the two fields of a bar. */
  id: string;
  label: string;
  placeholder: string;
  tree: TreeInfo;
  value: string;
  invalid: boolean;
  input: Ref<HTMLInputElement>;
  onValue(value: string): void;
  /** Called for arrow up (1) and down (-1) if no list is open. */
  onHistory(step: 1 | -1): void;
}

// The names of the language would be most of the code of the start page, so they are loaded with the first
// focus.
let complete: typeof import('../../query/completion').complete | undefined;
async function loadCompletion(): Promise<void> {
  complete ??= (await import('../../query/completion')).complete;
}

const nothing: Completions = { from: 0, to: 0, found: [] };
/** Number of list entries that are visible without scrolling. */
const LISTED = 50;

/** A field for an expression: a combobox that completes the names of branches and functions. */
export function QueryField(props: QueryFieldProps): JSX.Element {
  const { id, label, value, tree, onValue } = props;
  const own = useRef<HTMLInputElement | null>(null);
  const shown = useSignal(nothing);
  const active = useSignal(-1);
  const caret = useRef<number | undefined>(undefined);
  /** Whether the list opens after the completion code is loaded. */
  const waiting = useRef(false);
  const { found } = shown.value;
  const open = found.length > 0;

  useEffect(() => {
    if (caret.current === undefined) return;
    own.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  useEffect(() => {
    if (active.value < 0) return;
    const root = own.current?.getRootNode() as Document | ShadowRoot | undefined;
    root?.getElementById(`${id}-${active.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [active.value]);

  const close = () => {
    waiting.current = false;
    shown.value = nothing;
    active.value = -1;
  };
  const look = () => {
    const input = own.current;
    if (input === null) return;
    if (complete === undefined) {
      waiting.current = true;
      // Without completion an expression can still be written. Drawing reports the error.
      loadCompletion().then(
        () => waiting.current && look(),
        () => {
          waiting.current = false;
        },
      );
      return;
    }
    shown.value = complete(tree, input.value, input.selectionStart ?? input.value.length);
    active.value = -1;
  };
  const accept = ({ text }: Completion) => {
    const { from, to } = shown.peek();
    // An existing bracket is not inserted again.
    const rest = text.endsWith('(') && value[to] === '(' ? value.slice(to + 1) : value.slice(to);
    caret.current = from + text.length;
    onValue(value.slice(0, from) + text + rest);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[active.value];
    if (event.key === 'ArrowDown' && open) active.value = (active.value + 1) % found.length;
    else if (event.key === 'ArrowUp' && open && active.value >= 0) active.value -= 1;
    // While the names are being loaded, arrow down waits for their list.
    else if (event.key === 'ArrowUp' || (event.key === 'ArrowDown' && !waiting.current)) {
      close();
      props.onHistory(event.key === 'ArrowUp' ? 1 : -1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) accept(chosen);
    else if (event.key === 'Escape' && open) close();
    else if (event.key === ' ' && event.ctrlKey) look();
    else {
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="query-field">
      <label for={id}>{label}</label>
      <div class="query-input">
        <input
          id={id}
          ref={(element) => {
            own.current = element;
            if (typeof props.input === 'object' && props.input !== null) props.input.current = element;
          }}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={active.value >= 0 ? `${id}-${active.value}` : undefined}
          aria-invalid={props.invalid}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={props.placeholder}
          value={value}
          onInput={(event) => {
            onValue(event.currentTarget.value);
            look();
          }}
          onFocus={() => void loadCompletion().catch(() => undefined)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {open && (
          <div id={`${id}-list`} class="completions" role="listbox" aria-label="Names that fit">
            {found.slice(0, LISTED).map((one, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose
              <div
                role="option"
                tabIndex={-1}
                id={`${id}-${i}`}
                key={`${one.what} ${one.name}`}
                aria-selected={i === active.value}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => accept(one)}
              >
                <span class="label">
                  {one.name}
                  {one.about !== undefined && <small class="about">{readableLatex(one.about)}</small>}
                </span>
                <small>{one.what}</small>
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
