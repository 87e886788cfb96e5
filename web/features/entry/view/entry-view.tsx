import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import { runKey } from '../../../plot/command';
import { Tables } from '../../../ui/report/report';
import { SaveReport } from '../../../ui/report/save-report';
import { saveText } from '../../../ui/save/save-blob';
import { type EntryLink, entryLink, parseEntryLink } from '../../../ui/state/entry-link';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { QueryField } from '../../../ui/widgets/query-field';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import type { EntryCard } from '../work/card';
import { cardJson } from '../work/card-json';
import { withPicture } from '../work/card-picture';
import { objectsOf, usualObjects } from '../work/objects';
import { cardReport, foundValues, readText } from '../work/tables';
import { cardCommands } from './entry-keys';
import { EventFigure } from './event-figure';

/** The view `entry` of a tree: all branches of one entry. */
export function EntryView(props: ViewProps): JSX.Element | null {
  const { tree } = props;
  if (tree === undefined) return null;
  if (tree.info.entries === 0) return <p class="hint">This tree has no entries.</p>;
  return <Entry key={tree.keyIndex} {...props} tree={tree} />;
}

type Direction = 'next' | 'previous';

function Entry({
  store,
  open,
  theme,
  tree,
}: ViewProps & { tree: NonNullable<ViewProps['tree']> }): JSX.Element {
  const { info } = tree;
  const path = cyclePath(tree.key);
  const isHere = store.selection.view.value === 'entry';
  const link = parseEntryLink(isHere ? store.selection.viewParams.value : '');
  const { cut = '', find = '' } = link;
  const hasAsked = isEntry(link.entry, info);
  const entry = hasAsked ? link.entry : link.entry >= info.entries ? info.entries - 1 : 0;
  const set = (change: Partial<EntryLink>) =>
    store.selection.setView('entry', entryLink({ ...link, entry, ...change }));
  const [read, again] = useRead(
    store,
    open,
    `entry ${path} ${entry}`,
    `Reading entry ${formatCount(entry)}`,
    (_api, _file, options) => store.insight.entryCard(open.info, { tree: path, entry }, options),
  );
  const notice = useSignal('');
  const failure = useSignal<ErrorRecord | undefined>(undefined);
  const isLooking = useSignal(false);
  const draft = useSignal(cut);
  useEffect(() => {
    draft.value = cut;
  }, [cut]);
  /** The last card stays in place while the next one is read. */
  const last = useRef<EntryCard | undefined>(undefined);
  if (read.state === 'ready') last.current = read.value;
  useEffect(() => {
    notice.value = '';
    failure.value = undefined;
  }, [entry, cut]);
  const step = async (to: Direction): Promise<void> => {
    if (isLooking.peek()) return;
    isLooking.value = true;
    notice.value = '';
    failure.value = undefined;
    // A cut that was typed holds without a press of Enter.
    const typed = draft.peek().trim();
    if (typed !== cut) set({ cut: typed });
    const asked = { tree: path, entry, cut: typed, to };
    try {
      const found = await store.session.call(
        'entry step',
        `Looking for the ${to} entry`,
        (_api, _file, options) => store.insight.findEntry(open.info, asked, options),
      );
      if (found !== undefined) set({ entry: found, cut: typed });
      else notice.value = noneText(to, typed);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'ABORTED') failure.value = error.toRecord();
    } finally {
      isLooking.value = false;
    }
  };
  const isField = (target: EventTarget | null) =>
    target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Keys act without a click into the card. In the page of somebody else the focus stays where it is.
    const root = place.current?.getRootNode();
    const isOwn = root instanceof Document || (root instanceof ShadowRoot && root.activeElement !== null);
    if (isOwn) place.current?.focus({ preventScroll: true });
  }, []);
  const card = read.state === 'ready' ? read.value : read.state === 'reading' ? last.current : undefined;
  return (
    <section
      class="entry-card"
      ref={place}
      tabIndex={-1}
      aria-label={`Entry ${entry}`}
      aria-busy={read.state === 'reading' || isLooking.value}
      onKeyDown={(event) => {
        if (!isField(event.target)) runKey(cardCommands, { step: (to) => void step(to) }, event);
      }}
    >
      <Controls {...{ info, entry, draft, set }} isBusy={isLooking.value} onStep={step} />
      <p class="hint" role="status">
        {notice.value ||
          (hasAsked ? '' : `${noEntryText(link.entry, info)} This is entry ${formatCount(entry)}.`)}
      </p>
      {failure.value && <ErrorPane error={failure.value} onRetry={() => (failure.value = undefined)} />}
      {read.state === 'failed' && <ErrorPane error={read.error} onRetry={again} />}
      {read.state === 'cancelled' && <Cancelled onAgain={again} />}
      {card === undefined && read.state === 'reading' && <Placeholder store={store} />}
      {card && (
        <Card {...{ store, card, find, theme, set }} objects={link.objects} isOld={card.entry !== entry} />
      )}
    </section>
  );
}

const isEntry = (entry: number, info: TreeInfo): boolean =>
  Number.isInteger(entry) && entry >= 0 && entry < info.entries;

const noEntryText = (asked: number, info: TreeInfo): string =>
  `There is no entry${Number.isNaN(asked) ? ' of this name' : ` ${asked}`}: this tree has the entries 0 to ${formatCount(info.entries - 1)}.`;

const noneText = (to: Direction, cut: string): string =>
  `There is no ${to === 'next' ? 'later' : 'earlier'} entry${cut === '' ? '' : ' that passes the cut'}.`;

interface ControlsProps {
  info: TreeInfo;
  entry: number;
  /** The cut as it stands in its field. */
  draft: Signal<string>;
  set(change: Partial<EntryLink>): void;
  isBusy: boolean;
  onStep(to: Direction): void;
}

function Controls({ info, entry, draft, set, isBusy, onStep }: ControlsProps): JSX.Element {
  const typed = useSignal<string | undefined>(undefined);
  const digits = (typed.value ?? '').replace(/[, _]/g, '');
  const value = digits === '' ? Number.NaN : Number(digits);
  const isWrong = typed.value !== undefined && !isEntry(value, info);
  return (
    <form
      class="controls entry-controls"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWrong) return;
        set({ cut: draft.value.trim(), ...(typed.value !== undefined && { entry: value }) });
        typed.value = undefined;
      }}
    >
      <span class="entry-steps">
        <button type="button" disabled={isBusy} title="Key p or ←" onClick={() => onStep('previous')}>
          ‹ Previous
        </button>
        <button type="button" disabled={isBusy} title="Key n or →" onClick={() => onStep('next')}>
          Next ›
        </button>
      </span>
      <label class="number-field">
        <span>Entry</span>
        <input
          type="text"
          inputMode="numeric"
          size={9}
          value={typed.value ?? String(entry)}
          aria-invalid={isWrong}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        <span role="status">{isWrong ? noEntryText(value, info) : `of ${formatCount(info.entries)}`}</span>
      </label>
      <div class="entry-cut">
        <QueryField
          id="entry-cut"
          label="Cut for next and previous"
          placeholder="all entries"
          tree={info}
          value={draft.value}
          invalid={false}
          input={() => {}}
          onValue={(text) => {
            draft.value = text;
          }}
          onHistory={() => {}}
        />
      </div>
      <button type="submit">Go</button>
    </form>
  );
}

interface CardProps {
  store: ViewProps['store'];
  card: EntryCard;
  find: string;
  objects: readonly string[] | undefined;
  theme: 'light' | 'dark';
  set(change: Partial<EntryLink>): void;
  /** Whether another entry is being read. */
  isOld: boolean;
}

/** With more rows, tables are folded, because a page of thousands of rows is slow. */
const MAX_ROWS = 400;

function Card({ store, card, find, objects, theme, set, isOld }: CardProps): JSX.Element {
  const all = useMemo(() => objectsOf(card.values), [card]);
  const usual = useMemo(() => usualObjects(all).map(({ name }) => name), [all]);
  const drawn = objects ?? usual;
  const found = foundValues(card.values, find);
  const report = useMemo(() => {
    const { tables = [], ...open } = cardReport(card, { find });
    const rows = tables.reduce((sum, one) => sum + one.rows.length, 0);
    const folded = rows > MAX_ROWS;
    return { ...open, tables: tables.map((one) => ({ ...one, folded })) };
  }, [card, find]);
  const typed = useTyped(find, (text) => set({ find: text }));
  const title = `Entry ${card.entry} of ${card.tree}`;
  const whole = () =>
    withPicture(
      cardReport(card),
      card,
      all.filter(({ name }) => drawn.includes(name)),
    );
  return (
    <div class={isOld ? 'entry-old' : undefined}>
      {all.length > 0 && (
        <EventFigure {...{ title, all, drawn, theme }} onDrawn={(names) => set({ objects: names })} />
      )}
      <div class="controls">
        <label class="number-field entry-find">
          <span>Show branches with</span>
          <input type="search" spellcheck={false} placeholder="words, units" {...typed} />
        </label>
        <span class="hint">
          {formatCount(found.length)} of {formatCount(card.values.length)} branches, read with{' '}
          {readText(card.reading)}
          {card.inFile !== undefined && `; entry ${formatCount(card.inFile)} of ${card.file}`}
        </span>
      </div>
      <Tables report={report} />
      <div class="controls">
        <button type="button" onClick={() => saveText(`${title}.json`, [...cardJson(card)].join(''))}>
          Save as JSON
        </button>
        <SaveReport store={store} report={whole()} name={`${title}.html`} />
      </div>
    </div>
  );
}
