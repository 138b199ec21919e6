import test from 'ava';
import { runStaged } from '../../../api/routing/run-staged.ts';
import { WorkflowUnavailable } from '../../../api/requests/errors.ts';
import type { Started } from '../../../workflow-starts/start-and-await.ts';

/** `steps` records the calls. */
function stage(started: Started<string>, { closes = false, row }: { closes?: boolean; row?: string } = {}) {
  const steps: string[] = [];
  const step = <Value>(name: string, value: Value): Value => {
    steps.push(name);
    return value;
  };
  const outcome = runStaged<string, string>({
    run: () => step('run', Promise.resolve(started)),
    logUnanswered: ({ state }) => step(`log ${state}`, undefined),
    giveUp: (state) => step(`give up ${state}`, Promise.resolve(closes)),
    decide: ({ state }) => step(`decide ${state}`, row),
    unknown: () => new Error('unknown'),
  });
  return { outcome, steps };
}

const unanswered = (state: 'not_started' | 'unknown') => ({ state, cause: new Error('away') }) as const;

test('an ended workflow is answered from its row', async (t) => {
  const { outcome, steps } = stage({ state: 'ended', result: 'done' }, { row: 'saved' });
  t.is(await outcome, 'saved');
  t.deepEqual(steps, ['run', 'decide ended']);
});

test('an undecided row is refused as unknown after its workflow ended', async (t) => {
  await t.throwsAsync(stage({ state: 'ended', result: 'done' }).outcome, { message: 'unknown' });
});

test('a request that was given up is refused without reading its row', async (t) => {
  const never = stage(unanswered('not_started'), { closes: true, row: 'saved' });
  await t.throwsAsync(never.outcome, { instanceOf: WorkflowUnavailable });
  t.deepEqual(never.steps, ['run', 'log not_started', 'give up not_started']);
  const maybe = stage(unanswered('unknown'), { closes: true, row: 'saved' });
  await t.throwsAsync(maybe.outcome, { message: 'unknown' });
  t.deepEqual(maybe.steps, ['run', 'log unknown', 'give up unknown']);
});

for (const state of ['not_started', 'unknown'] as const) {
  test(`a row that cannot be given up decides a ${state} call`, async (t) => {
    const decided = stage(unanswered(state), { row: 'saved' });
    t.is(await decided.outcome, 'saved');
    t.deepEqual(decided.steps, ['run', `log ${state}`, `give up ${state}`, `decide ${state}`]);
    await t.throwsAsync(stage(unanswered(state)).outcome, { message: 'unknown' });
  });
}
