import type { Report } from '../../report/report';
import type { Context } from '../context';
import { noteLines, reportLines } from './report';

/** The form of what goes to stdout. */
export type As = 'text' | 'json' | 'nothing';

/** Tells results one by one, as text or as JSON, and returns the summary that follows them. */
export async function tellEach<I, S>(
  results: AsyncGenerator<I, S>,
  reportOf: (item: I) => Report | undefined,
  as: As,
  { out, err }: Context,
): Promise<S> {
  let comma = '';
  // Reports of one line follow each other without empty lines.
  let gap = false;
  if (as === 'json') out.put('{"files": [');
  for (;;) {
    const { done, value } = await results.next();
    if (done) {
      if (as === 'json') out.line(`\n], "summary": ${JSON.stringify(value)}}`);
      return value;
    }
    if (as === 'json') {
      out.put(`${comma}\n${JSON.stringify(value)}`);
      comma = ',';
    }
    const report = reportOf(value);
    for (const note of report ? noteLines(report) : []) err.line(note);
    if (as === 'text' && report) {
      const lines = reportLines(report, undefined, true);
      if (gap) out.line();
      for (const line of lines) out.line(line);
      gap = lines.length > 1;
    }
    // The part that is known is not lost if the user ends the command.
    await out.flush();
  }
}
