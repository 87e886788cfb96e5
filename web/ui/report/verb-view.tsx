import { useSignal } from '@preact/signals';
import type { Param, Params } from '../../base/shape';
import { cyclePath } from '../../model/keys';
import { type Place, type Report, withNotes } from '../../report/report';
import { pageVerbs } from '../../verbs/page';
import { fileValue } from '../../verbs/params';
import type { AnyVerb } from '../../verbs/verb';
import { branchNode } from '../state/contents-model';
import { mapOf } from '../state/map-link';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { useRead } from '../widgets/use-read';
import { ReportView } from './report';
import { SaveReport } from './save-report';

/** A view of a verb: a form for its parameters, and its report. */
export function VerbView({ id, ...props }: ViewProps & { id: string }): JSX.Element {
  const { store, open } = props;
  const [read, again] = useRead(store, open, `code of ${id}`, 'Loading', () => listed(id).load());
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <LoadedVerb {...props} id={id} verb={read.value} />;
}

function listed(id: string) {
  const verb = pageVerbs[id];
  if (verb === undefined) throw new RangeError(`No view is named ${id}`);
  return verb;
}

function LoadedVerb(props: ViewProps & { id: string; verb: AnyVerb }): JSX.Element {
  const { store, id, verb } = props;
  const { waits = false, label, without = [] } = listed(id);
  const asked = useSignal(!waits);
  const query = new URLSearchParams(store.selection.viewParams.value);
  const fields = Object.entries<Param<unknown>>(verb.params as Params).filter(
    ([name, { parse, value }]) =>
      !['file', 'tree', ...without].includes(name) && (parse !== undefined || value === ''),
  );
  const values = Object.fromEntries(
    fields.flatMap(([name, { parse }]) => {
      const word = query.get(name);
      const value = word === null ? undefined : parse?.(word);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const set = (name: string, word: string) => {
    if (word === '') query.delete(name);
    else query.set(name, word);
    store.selection.setView(id, String(query));
  };
  return (
    <>
      {fields.length > 0 && (
        <div class="controls">
          {fields.map(([name, param]) => (
            <Field
              key={name}
              name={name}
              param={param}
              word={query.get(name) ?? ''}
              onWord={(word) => set(name, word)}
            />
          ))}
        </div>
      )}
      {asked.value ? (
        <Result {...props} values={values} />
      ) : (
        <p>
          <button type="button" onClick={() => (asked.value = true)}>
            {label}
          </button>{' '}
          <span class="hint">This reads much of the file.</span>
        </p>
      )}
    </>
  );
}

interface FieldProps {
  name: string;
  param: Param<unknown>;
  word: string;
  onWord(word: string): void;
}

function Field({ name, param, word, onWord }: FieldProps): JSX.Element {
  const { about, value, choices } = param;
  if (value === '')
    return (
      <label class="field" title={about}>
        <input
          type="checkbox"
          checked={word === 'true'}
          onChange={(event) => onWord(event.currentTarget.checked ? 'true' : '')}
        />
        {name}
      </label>
    );
  if (choices)
    return (
      <label class="field" title={about}>
        {name}
        <select value={word} onChange={(event) => onWord(event.currentTarget.value)}>
          {['', ...choices].map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <label class="field" title={about}>
      {name}
      <input
        value={word}
        placeholder={value}
        onChange={(event) => onWord(event.currentTarget.value)}
        aria-invalid={word !== '' && param.parse?.(word) === undefined}
      />
    </label>
  );
}

function Result({
  store,
  open,
  tree,
  id,
  verb,
  values,
}: ViewProps & { id: string; verb: AnyVerb; values: Readonly<Record<string, unknown>> }): JSX.Element {
  const params = {
    file: fileValue(verb.params, open.info.name),
    ...(tree && { tree: cyclePath(tree.key) }),
    ...values,
  };
  const [read, again] = useRead(
    store,
    open,
    `verb ${id} ${JSON.stringify(params)}`,
    listed(id).label,
    (_api, _file, options) => store.insight.verb(open.info, id, params, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  const { result, notes } = read.value;
  const report: Report = withNotes(verb.report(result, params), notes);
  const showMap = mapOf(store);
  const go = ({ branch, offset, length = 0 }: Place) => {
    if (branch !== undefined && tree) store.selection.select(branchNode(tree.keyIndex, branch));
    else if (offset !== undefined) showMap?.({ place: { offset, length } });
  };
  return (
    <>
      <ReportView report={report} onPlace={tree || showMap ? go : undefined} />
      <SaveReport {...{ store, report }} name={`${id}.html`} />
    </>
  );
}
