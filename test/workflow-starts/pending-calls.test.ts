import test from 'ava';
import { createPendingCalls } from '../../workflow-starts/workflow-calls.ts';
import type { Started } from '../../workflow-starts/start-and-await.ts';

function openCall() {
  const { promise, resolve } = Promise.withResolvers<Started<'committed'>>();
  return { call: () => promise, answer: resolve };
}

test('ending pending calls answers open ones and prevents later ones', async (t) => {
  const pending = createPendingCalls();
  const answered = openCall();
  const open = openCall();
  const outcomes = [pending.run(answered.call), pending.run(open.call)];
  answered.answer({ state: 'ended', result: 'committed' });
  t.deepEqual(await outcomes[0], { state: 'ended', result: 'committed' });
  pending.end();
  t.like(await outcomes[1], { state: 'unknown', cause: { message: 'The process is stopping' } });
  const later = () => Promise.reject(new Error('called'));
  t.like(await pending.run(later), { state: 'not_started', cause: { message: 'The process is stopping' } });
  pending.end();
});

test('a pending call passes its rejection on', async (t) => {
  const broken = () => Promise.reject(new Error('broken'));
  await t.throwsAsync(createPendingCalls().run(broken), { message: 'broken' });
});
