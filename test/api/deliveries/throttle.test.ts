import test from 'ava';
import { createThrottle } from '../../../api/deliveries/signal-circuit.ts';

test('a key makes its first call, then the last per interval', (t) => {
  const due: { readonly delayMs: number; readonly act: () => void }[] = [];
  const run = createThrottle<string>({ intervalMs: 100, after: (delayMs, act) => void due.push({ delayMs, act }) });
  const acts: string[] = [];
  const ask = (key: string, name: string) => run(key, () => void acts.push(name));
  for (const name of ['one', 'two', 'three']) ask('a', name);
  ask('b', 'other');
  t.deepEqual(acts, ['one', 'other']);
  t.deepEqual(
    due.map(({ delayMs }) => delayMs),
    [100, 100],
  );
  due.shift()!.act();
  t.deepEqual(acts, ['one', 'other', 'three']);
  ask('a', 'four');
  t.is(acts.length, 3, 'it has just run');
  due[1]!.act();
  t.deepEqual(acts, ['one', 'other', 'three', 'four']);
});
