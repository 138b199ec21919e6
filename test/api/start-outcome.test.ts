import test from 'ava';
import { startAndAwait } from '../../api/start/outcome.ts';

/** A failed call as the SDK throws it: the server's status is the cause. */
const failedCall = (code: number): Error =>
  new Error('Failed to start Workflow', {
    cause: Object.assign(new Error(`${code}`), { code, details: '', metadata: {} }),
  });
const never = (): Promise<never> => Promise.reject(new Error('not asked'));

for (const [code, name, state] of [
  [14, 'UNAVAILABLE', 'not_started'],
  [8, 'RESOURCE_EXHAUSTED', 'not_started'],
  [4, 'DEADLINE_EXCEEDED', 'unknown'],
  [13, 'INTERNAL', 'unknown'],
] as const) {
  test(`a start that ends ${name} is ${state}`, async (t) => {
    t.is((await startAndAwait(() => Promise.reject(failedCall(code)), never)).state, state);
  });
}

test('once started, only a result is an end', async (t) => {
  const start = () => Promise.resolve('handle');
  t.deepEqual(await startAndAwait(start, (handle) => Promise.resolve(`result of ${handle}`)), {
    state: 'ended',
    result: 'result of handle',
  });
  t.is((await startAndAwait(start, () => Promise.reject(failedCall(14)))).state, 'unknown');
});
