import { expect, test } from 'vitest';
import { checkOptions, type Rules } from '../../web/base/options';
import { ANY, listOf, oneOf, TEXT } from '../../web/base/shape';

interface Options {
  how?: 'whole' | 'part' | undefined;
  names?: readonly string[];
  any?: Date;
}

const rules: Rules<Options> = { how: oneOf('whole', 'part'), names: listOf(TEXT), any: ANY };
const narrow: Rules<Pick<Options, 'how'>> = {
  // @ts-expect-error it would refuse "part"
  how: oneOf('whole'),
};
// @ts-expect-error an option has no rule
const fewer: Rules<Options> = { how: TEXT, names: ANY };

test('a rule takes what the type of its option allows, which the compiler sees', () => {
  expect(() => checkOptions('read', { how: 'part', names: ['a'] }, rules)).not.toThrow();
  expect(() => checkOptions('read', { how: 'part' }, narrow)).toThrow('The option how of read is "part".');
  expect(() => checkOptions('read', { any: new Date() }, fewer)).toThrow('read has no option "any".');
});
