import test from 'ava';
import { countArrivals, untilArrived } from '../../harness/system/arrivals.ts';
import { findCanaries, workflowTexts, shownTexts } from '../../harness/system/canaries.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { until } from '../../harness/until.ts';
import { untilAllDelivered } from '../../harness/system/delivery-watch.ts';

const count = sized({ quick: 1_200, full: 6_000 });
const PREFIX = 'canary';
const SENDER = 15_557_770_001;

test('an erasure completes despite a killed worker and leaves no canary', async (t) => {
  t.timeout(patienceMs(count) * 4);
  const arrivals = await countArrivals(t);
  const system = await startSystem(t);
  const { api, channel, db, tenant, workers } = system;
  const connected = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({
    ...system,
    resourceIds: [connected.resourceId],
    count,
    prefix: PREFIX,
    lanes: 4,
    firstSender: SENDER,
  });
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });
  await untilAllDelivered(system);
  const events = await db('events').whereNotNull('sender').pluck('sender');
  t.true(events.includes(String(SENDER)));
  const path = `/organizations/${tenant.organization.publicId}/erasures`;

  const { status, body } = await api.call(`POST ${path}`, {
    scope: { workspace: tenant.workspace.publicId },
    reason: 'asked for',
  });
  t.is(status, 202);
  const erased = async () => Number((await db('events').whereNotNull('erased_at').count('*').first())?.count);
  await until(async () => (await erased()) > 0, { for: 'The first erased events' });
  await workers[0]!.crash();
  const report = await until(
    async () => {
      // No attempt is under way, so the erasure need not wait for one.
      await db('erasures').update({ next_step_at: null });
      const answer = await api.call(`GET ${path}/${body.erasureId}`);
      return answer.body.status === 'completed' && answer.body;
    },
    { for: 'The end of the erasure', timeoutMs: patienceMs(count) * 2 },
  );

  t.like(report.erased, { events: count, deliveries: count, cancelled: 0 });
  t.is((await db('deliveries').where({ status: 'delivered' })).length, count, 'states stay');
  t.deepEqual(await findAll(system), []);
});

/** Reads all tables, log lines and histories. */
async function findAll({ db, lines, temporal }: System): Promise<string[]> {
  const canaries = { message: `${PREFIX}.`, sender: String(SENDER) };
  const columns: string[] = [];
  for (const text of Object.values(canaries)) columns.push(...(await tablesWith(db, text)));
  const workflows = await workflowTexts(temporal);
  if (!workflows.some(({ workflowId }) => workflowId.startsWith('erasure/'))) throw new Error('No erasure is listed');
  return [...columns, ...shownTexts({ lines, workflows }).flatMap((one) => findCanaries(canaries, one))];
}
