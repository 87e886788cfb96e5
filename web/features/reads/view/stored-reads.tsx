import { useMemo } from 'preact/hooks';
import { perfReportOfObject } from '../../../reads/perfstats';
import type { Places } from '../../../ui/part';
import { FreePlot } from '../../../ui/plot/free-plot';
import { OwnTable } from '../../../ui/report/report';
import { describeRead } from '../work/describe-read';
import { readPatternPlot } from '../work/read-pattern';
import { numbersTable, ordersTable } from '../work/reads-report';

/** A TTreePerfStats in a file, as ROOT draws it: the pattern of the reads, and the numbers. */
export function StoredReads({ object, theme }: Places['object']): JSX.Element {
  const report = useMemo(() => perfReportOfObject(object), [object]);
  const { model } = useMemo(() => readPatternPlot(report, { note: describeRead }), [report]);
  return (
    <>
      <h3>
        {report.tree} in {report.file}, as {report.by} read it
      </h3>
      <FreePlot model={model} theme={theme} />
      <OwnTable table={ordersTable([report])} />
      <OwnTable table={numbersTable([report], true)} />
    </>
  );
}
