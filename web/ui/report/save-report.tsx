import { useEffect } from 'preact/hooks';
import { reportHtml } from '../../report/html';
import type { Report } from '../../report/report';
import { saveText } from '../save/save-blob';
import type { ViewerStore } from '../state/viewer-state';

interface Props {
  store: ViewerStore;
  report: Report;
  name: string;
}

/** The button that saves a report as one HTML file. The report is also told to the page around the viewer. */
export function SaveReport({ store, report, name }: Props): JSX.Element {
  useEffect(() => {
    store.report.value = report;
    return () => {
      if (store.report.peek() === report) store.report.value = undefined;
    };
  }, [store, report]);
  const save = () => saveText(name, reportHtml(report.title, [report]), 'text/html');
  return (
    <p>
      <button type="button" title="All of this as one HTML file, without scripts" onClick={save}>
        Save the report
      </button>
    </p>
  );
}
