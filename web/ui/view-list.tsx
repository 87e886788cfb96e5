import { FileClasses, FileOverview, TreeOverview } from './panels/info-panels';
import { type OWN_VIEWS, VIEWS } from './state/views';
import type { PageView, ViewProps } from './view-tabs';
import { lazy } from './widgets/lazy';

type Component = PageView['component'];

/** The code of each view of the page itself. */
const OWN_CODE: Readonly<Record<keyof typeof OWN_VIEWS, Component>> = {
  overview: (props) => (props.tree === undefined ? <FileOverview {...props} /> : <TreeOverview {...props} />),
  draw: lazy(() => import('./query/query-view').then(({ QueryView }) => QueryView)),
  table: lazy(() => import('./table/table-view').then(({ TableView }) => TableView)),
  classes: FileClasses,
};

/** All views, in the order of their tabs. */
export const pageViews: readonly PageView[] = Object.entries(VIEWS).map(([id, { load, ...view }]) => ({
  ...{ id, ...view },
  component: Object.hasOwn(OWN_CODE, id)
    ? OWN_CODE[id as keyof typeof OWN_VIEWS]
    : load
      ? lazy(load)
      : codeOfVerb(id),
}));

function codeOfVerb(id: string): Component {
  return lazy(async () => {
    const { VerbView } = await import('./report/verb-view');
    return (props: ViewProps) => <VerbView {...props} id={id} />;
  });
}
