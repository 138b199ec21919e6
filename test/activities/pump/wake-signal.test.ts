import test from 'ava';
import { createWakeSignal } from '../../../activities/pump/wake-signal.ts';

const LONG_MS = 60_000;

test('a wake-up ends a wait', async (t) => {
  const signal = createWakeSignal();
  const passed = signal.wait(LONG_MS);
  signal.wake();
  t.true(await passed);
});

test('an earlier wake-up ends one wait at once', async (t) => {
  const signal = createWakeSignal();
  signal.wake();
  signal.wake();
  t.true(await signal.wait(LONG_MS));
  t.false(await signal.wait(1));
});

test('a wait without a wake-up times out', async (t) => {
  t.false(await createWakeSignal().wait(1));
});

test('a wake-up after a timeout ends the next wait', async (t) => {
  const signal = createWakeSignal();
  t.false(await signal.wait(1));
  signal.wake();
  t.true(await signal.wait(LONG_MS));
});
