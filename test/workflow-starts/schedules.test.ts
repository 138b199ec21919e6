import test from 'ava';
import { createSchedules } from '../../workflow-starts/schedules.ts';
import { eventually } from '../harness/eventually.ts';
import { temporalHarness } from '../harness/temporal/temporal.ts';

test('concurrent workers create each schedule once and keep a paused one', async (t) => {
  const { client } = await temporalHarness(t, {}, { queues: {} });
  await eventually(async () => await createSchedules(client).then(() => true, () => false)); // prettier-ignore
  await Promise.all([1, 2, 3].map(() => createSchedules(client)));
  await client.schedule.getHandle('retention').pause('an operator investigates');
  await createSchedules(client);
  const { state, spec, policies } = await client.schedule.getHandle('retention').describe();
  t.true(state.paused);
  t.is(policies.overlap, 'SKIP');
  t.is(spec.intervals?.[0]?.every, 3_600_000);
  await eventually(async () => {
    const ids: string[] = [];
    for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId);
    return ids.toSorted().join() === 'channel-health,invariants,retention';
  });
  await client.schedule.getHandle('invariants').trigger();
  await eventually(async () => {
    for await (const { type } of client.workflow.list({ query: "WorkflowId STARTS_WITH 'invariants'" })) {
      if (type === 'invariants') return true;
    }
    return false;
  });
});
