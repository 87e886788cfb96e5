import type { Places } from '../../../ui/part';
import { UsePrograms } from '../../snippets/view/code-snippets';
import type { Use } from '../../snippets/work/use';
import { figurePrograms } from '../work/code/programs';
import { styleOf } from './use-figure';

/** Programs that fill the bins of the plot and draw its figure. */
export function FigureCode(props: Places['histogram']): JSX.Element | null {
  const look = props.store.plot.look.value;
  const { style } = styleOf(look.figure);
  if (style === undefined) return null;
  const programs = (use: Use) => figurePrograms(use, style, look.log);
  return <UsePrograms {...props} summary="This figure in matplotlib, ROOT" programs={programs} />;
}
