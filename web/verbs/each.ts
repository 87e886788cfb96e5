import type { Params, ValuesOf } from '../base/shape';
import type { Report } from '../report/report';
import { type Verb, type VerbCall, verb } from './verb';

/** The results and reports of a verb that has a result for each file. */
export interface EachFile<P, I, S> {
  /** Gives the result of each file as soon as it is known, in the order of the files, and returns the summary. */
  run(params: P, call: VerbCall): AsyncGenerator<I, S>;
  /** The report on a file; undefined if there is nothing to tell. */
  report(item: I, params: P): Report | undefined;
  /** The report on all files; undefined if that of the only file says it all. */
  sum(summary: S, params: P): Report | undefined;
}

/** The results of all files, for faces that wait for them. */
export interface AllFiles<I, S> {
  files: I[];
  summary: S;
}

/** A verb that has a result for each file: a face may tell each as soon as it is known, or wait for all. */
export function verbOfFiles<const M extends Params, I, S>(
  of: Omit<Verb<M, AllFiles<I, S>>, 'run' | 'report' | 'each'> & { each: EachFile<ValuesOf<M>, I, S> },
): Verb<M, AllFiles<I, S>> {
  const { each } = of;
  return verb<M, AllFiles<I, S>>({
    ...of,
    async run(params, call) {
      const files: I[] = [];
      const results = each.run(params, call);
      for (;;) {
        const { done, value } = await results.next();
        if (done) return { files, summary: value };
        files.push(value);
      }
    },
    report({ files, summary }, params) {
      const parts = files.flatMap((item) => each.report(item, params) ?? []);
      const [only] = parts;
      const sum = each.sum(summary, params) ?? only ?? { title: of.name };
      return sum === only ? sum : { ...sum, parts };
    },
  });
}
