import test from 'ava';
import { createGate } from '../../../activities/pump/gate.ts';

const LONG_MS = 60_000;

test('an opened gate lets a waiting loop through', async (t) => {
  const gate = createGate();
  const passed = gate.wait(LONG_MS);
  gate.open();
  t.true(await passed);
});

test('a gate that was opened before is passed at once, and only once', async (t) => {
  const gate = createGate();
  gate.open();
  gate.open();
  t.true(await gate.wait(LONG_MS));
  t.false(await gate.wait(1));
});

test('when nobody opens it in time the loop goes on and is told', async (t) => {
  t.false(await createGate().wait(1));
});

test('an opening after the time has passed counts for the next wait', async (t) => {
  const gate = createGate();
  t.false(await gate.wait(1));
  gate.open();
  t.true(await gate.wait(LONG_MS));
});
