import { reportHtml } from '../../report/html';
import type { Report } from '../../report/report';
import { saveText } from '../save/save-blob';

/** The button that saves a report as one HTML file. */
export function SaveReport({ report, name }: { report: Report; name: string }): JSX.Element {
  const save = () => saveText(name, reportHtml(report.title, [report]), 'text/html');
  return (
    <p>
      <button type="button" title="All of this as one HTML file, without scripts" onClick={save}>
        Save the report
      </button>
    </p>
  );
}
