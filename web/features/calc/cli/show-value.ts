import type { PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { membersJson } from '../../../base/json';
import { type Context, writeText } from '../../../cli/context';
import { wantsPicture } from '../../../cli/terminal/picture';
import { reportLines } from '../../../cli/terminal/report';
import { outputsOf, showDrawn, showPlot } from '../../../cli/terminal/show-drawn';
import { writePlain } from '../../../export/canonical';
import { histogramOfHeld } from '../work/ops/held';
import { efficiencyReport, statisticsReport } from '../work/report';
import type { Value } from '../work/steps';
import type { CalcGiven } from './calc';

/** Prints a result in the form that the options name, or shows it in the terminal. Returns the exit status. */
export async function showValue(
  value: Value,
  { expression, isComputed }: { expression: string; isComputed: boolean },
  given: CalcGiven,
  context: Context,
): Promise<number> {
  const { out } = context;
  if (value.kind === 'histogram') {
    const histogram = histogramOfHeld(value.held);
    const named = { ...histogram, name: given.name ?? histogram.name };
    await showDrawn(isComputed ? { ...named, title: expression } : named, given, context);
    return 0;
  }
  if (value.kind === 'efficiency') {
    await showEfficiency(value.object, given, context);
    return 0;
  }
  if (outputsOf(given).length > 0)
    throw unsupported('This is not a histogram, so that it is not drawn or saved.', 'Use --json.');
  if (given.json)
    out.line(membersJson(value.kind === 'number' ? value : { kind: value.kind, ...value.statistics }));
  else if (value.kind === 'number')
    out.line(value.error > 0 ? `${value.value} ± ${value.error}` : String(value.value));
  else for (const line of reportLines(statisticsReport(value))) out.line(line);
  return 0;
}

async function showEfficiency(object: PlainObject, given: CalcGiven, context: Context): Promise<void> {
  const { out } = context;
  if (given.json) {
    writePlain(object, (text) => out.put(text));
    out.line();
    return;
  }
  const [{ drawnObject, loadKinds }, { pointTables }, { efficiencyCells }, { pointsCsv }] = await Promise.all(
    [
      import('../../../plot/stored/stored'),
      import('../../../plot/stored/points'),
      import('../../../plot/stored/kinds/efficiency'),
      import('../../../bins/points-csv'),
    ],
  );
  await loadKinds(object);
  const { model } = drawnObject(object, new Map(), '');
  if (model === undefined) throw unsupported('This efficiency is not drawn.');
  const cells = efficiencyCells(object, model);
  const tables = model.kind === 'graph' ? pointTables(model) : cells ? [cells] : [];
  if (wantsPicture(given)) await showPlot(model, given, context);
  else if (given.csv !== undefined) await writeText(given.csv, pointsCsv(tables), context);
  else if (outputsOf(given).length > 0)
    throw unsupported(
      'An efficiency has intervals, which this format does not hold.',
      'Use --csv or --json.',
    );
  else for (const line of reportLines(efficiencyReport(object, tables))) out.line(line);
}
