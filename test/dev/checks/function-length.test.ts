import test from 'ava';
import { Linter } from 'eslint';
import { functionLength } from '../../../dev/checks/function-length.ts';

const lines = (count: number): string => 'act();\n'.repeat(count);

function tooLong(code: string): string[] {
  const messages = new Linter().verify(code, {
    plugins: { house: { rules: { 'function-length': functionLength } } },
    rules: { 'house/function-length': ['error', 10] },
  });
  return messages.map(({ message }) => message);
}

test('a function longer than the budget is reported', (t) => {
  t.deepEqual(tooLong(`function f() {\n${lines(8)}}`), []);
  t.is(tooLong(`function f() {\n${lines(9)}}`).length, 1);
});

test('a factory is measured without the functions it returns', (t) => {
  const inner = `() => {\n${lines(8)}}`;
  t.deepEqual(tooLong(`function createPair() {\nreturn { one: ${inner},\ntwo: ${inner} };\n}`), []);
});

test('only the inner function is reported if it is too long', (t) => {
  t.is(tooLong(`function createOne() {\nreturn () => {\n${lines(12)}};\n}`).length, 1);
});
