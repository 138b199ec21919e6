import test from 'ava';
import { createWakeSignal } from '../../../activities/pump/wake-signal.ts';

const LONG_MS = 60_000;

test('an opened signal lets a waiting loop through', async (t) => {
  const signal = createWakeSignal();
  const passed = signal.wait(LONG_MS);
  signal.wake();
  t.true(await passed);
});

test('a signal that was opened before is passed at once, and only once', async (t) => {
  const signal = createWakeSignal();
  signal.wake();
  signal.wake();
  t.true(await signal.wait(LONG_MS));
  t.false(await signal.wait(1));
});

test('when nobody opens it in time the loop goes on and is told', async (t) => {
  t.false(await createWakeSignal().wait(1));
});

test('an opening after the time has passed counts for the next wait', async (t) => {
  const signal = createWakeSignal();
  t.false(await signal.wait(1));
  signal.wake();
  t.true(await signal.wait(LONG_MS));
});
