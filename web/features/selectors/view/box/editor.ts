import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { foldTypes, typesText } from './fold-types';
import { syntaxFaults } from './syntax-faults';

/** A name offered for completion, and its description. */
export interface Offered {
  label: string;
  detail: string;
}

export interface EditorOptions {
  text: string;
  /** Names of branches, offered within texts. */
  branches: readonly Offered[];
  /** Members of `job` that create results. */
  job: readonly Offered[];
  onChange(text: string): void;
  onRun(): void;
  /** Called if a text of more than `most` characters was pasted and refused. */
  onTooLong(most: number): void;
}

/** An error of running the text. Lines and columns count from 1. */
export interface EditorFault {
  line: number;
  column: number;
  message: string;
}

export interface Editor {
  setText(text: string): void;
  setFault(fault: EditorFault | undefined): void;
  close(): void;
}

/** Members of the third argument of `entry` and `process`. */
const TASK: readonly Offered[] = [
  { label: 'p4', detail: '(pt, eta, phi, mass)' },
  { label: 'pairs', detail: '(count)' },
  { label: 'triples', detail: '(count)' },
  { label: 'combinations', detail: '(count, size)' },
  { label: 'cross', detail: '(count, others)' },
  { label: 'order', detail: '(values)' },
  { label: 'deltaPhi', detail: '(a, b)' },
  { label: 'deltaR', detail: '(eta1, phi1, eta2, phi2)' },
  { label: 'entries', detail: 'numbers of the entries' },
  { label: 'entry', detail: 'number of this entry' },
  { label: 'count', detail: 'number of entries' },
  { label: 'file', detail: 'name of the file' },
  { label: 'tree', detail: 'name of the tree' },
];

/** Signals a new error of running the text, or that there is none any more. */
const newFault = StateEffect.define<null>();

/** Maximum number of syntax errors that are shown. */
const MAX_FAULTS = 20;
/** Maximum number of characters. With 3 million the page did not respond for more than 5 s. */
const MAX_TEXT = 300_000;

/** Shows the text of a folded range as a button. */
function placeholderDOM(_view: EditorView, onclick: (event: Event) => void, text: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cm-foldPlaceholder';
  button.textContent = text;
  button.title = 'Unfold';
  button.onclick = onclick;
  return button;
}

/** An editor for the text of a selector. */
export function createEditor(parent: HTMLElement, options: EditorOptions): Editor {
  let fault: EditorFault | undefined;
  const complete = (context: CompletionContext): CompletionResult | null => {
    const member = context.matchBefore(/\b(job|task)\.\w*/);
    if (member) {
      const [owner = '', name = ''] = member.text.split('.');
      return {
        from: member.to - name.length,
        options: [...(owner === 'job' ? options.job : TASK)],
        validFor: /^\w*$/,
      };
    }
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (node.name !== 'String' && node.name !== 'TemplateString') return null;
    const word = context.matchBefore(/[\w.]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    return { from: word.from, options: [...options.branches], validFor: /^[\w.]*$/ };
  };
  const faultsOf = ({ state }: EditorView): Diagnostic[] => {
    const found: Diagnostic[] = [];
    if (fault !== undefined && fault.line <= state.doc.lines) {
      const line = state.doc.line(Math.max(1, fault.line));
      const from = Math.min(line.to, line.from + Math.max(0, fault.column - 1));
      found.push({ from, to: line.to, severity: 'error', message: fault.message });
    }
    return [...found, ...syntaxFaults(state, MAX_FAULTS - found.length)];
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...[lineNumbers(), lintGutter(), history(), drawSelection(), highlightSpecialChars()],
        ...[codeFolding({ preparePlaceholder: typesText, placeholderDOM }), foldGutter()],
        ...[indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine()],
        ...[javascriptLanguage, syntaxHighlighting(classHighlighter)],
        autocompletion({ override: [complete], icons: false }),
        linter(faultsOf, {
          delay: 300,
          needsRefresh: ({ transactions, startState, state }) =>
            transactions.some(({ effects }) => effects.some((one) => one.is(newFault))) ||
            syntaxTree(startState) !== syntaxTree(state),
        }),
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              options.onRun();
              return true;
            },
          },
          ...[...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap],
          ...[...completionKeymap, ...lintKeymap, ...foldKeymap],
        ]),
        EditorView.domEventHandlers({
          // Keys of the viewer are letters here.
          keydown: (event) => {
            if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
            return false;
          },
        }),
        EditorView.contentAttributes.of({
          'aria-label': 'Code of the selector',
          spellcheck: 'false',
          tabindex: '0',
        }),
        EditorState.changeFilter.of(({ newDoc, startState }) => {
          const fits = newDoc.length <= MAX_TEXT || newDoc.length < startState.doc.length;
          if (!fits) options.onTooLong(MAX_TEXT);
          return fits;
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          // The error belongs to the text that was run.
          fault = undefined;
          options.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  // The types above the code are only for reference.
  foldTypes(view);
  return {
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      foldTypes(view);
    },
    setFault(next) {
      fault = next;
      view.dispatch({ effects: newFault.of(null) });
      forceLinting(view);
      if (next === undefined || next.line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(Math.max(1, next.line));
      view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    },
    close: () => view.destroy(),
  };
}
