import test from 'ava';
import { createSpacing } from '../../api/spacing.ts';
import { eventually } from '../harness/eventually.ts';

test('acts of a key run at once and then once in a while, the last of those that came meanwhile', async (t) => {
  const run = createSpacing<string>({ everyMs: 100 });
  const startedAtMs = performance.now();
  const acts: { readonly name: string; readonly afterMs: number }[] = [];
  const ask = (key: string, name: string) =>
    run(key, () => void acts.push({ name, afterMs: performance.now() - startedAtMs }));
  for (const name of ['one', 'two', 'three']) ask('a', name);
  ask('b', 'other');
  t.deepEqual(
    acts.map(({ name }) => name),
    ['one', 'other'],
  );
  await eventually(() => acts.length === 3);
  t.is(acts[2]?.name, 'three');
  t.true(acts[2]!.afterMs >= 99);
  ask('a', 'four');
  t.is(acts.length, 3, 'it has just run');
  await eventually(() => acts.length === 4);
  t.is(acts[3]?.name, 'four');
  t.true(acts[3]!.afterMs >= 198);
});
