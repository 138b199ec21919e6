import test from 'ava';
import type { SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';
import { eventually } from '../../harness/eventually.ts';
import { accepted, anItem, aWebhookDestination } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage, type PumpStage } from '../../harness/deliveries/pump-stage.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const SLOW = 40;
const BACKLOG = 20;

async function destinationOf(stage: PumpStage, resourceId: string, workspace = stage.tenant.workspace) {
  const channel = await aChannel(stage.db, workspace, { resourceId });
  const { id } = await aWebhookDestination(stage, channel);
  return id;
}

const rowsOf = (resourceId: string, count: number) =>
  Array.from({ length: count }, (_, conversationKey) => anItem({ resourceId, conversationKey }));

for (const isShared of [true, false]) {
  const where = isShared ? 'one workspace' : 'other workspaces';
  test(`forty hanging receivers do not stop a healthy one (${where})`, async (t) => {
    const stage = await pumpStage(t);
    const hangingIds = new Set<number>();
    for (let number = 0; number < SLOW; number++) {
      const workspace = isShared ? stage.tenant.workspace : (await aTenant(stage.db)).workspace;
      hangingIds.add(await destinationOf(stage, `slow-${number}`, workspace));
      await accepted(stage.pool, rowsOf(`slow-${number}`, BACKLOG));
    }
    const healthyId = await destinationOf(stage, 'healthy');
    const stopped = Promise.withResolvers<void>();
    let hangingCount = 0;
    const sendDelivery: SendDelivery = async (delivery) => {
      if (hangingIds.has((delivery as ClaimedDelivery).destinationId)) {
        hangingCount++;
        await stopped.promise;
      }
      const times = { number: 1, startedAtMs: Date.now(), durationMs: 1 };
      return { ...times, outcome: 'accepted', status: 200, responseHeaders: {}, responseBody: null, error: null };
    };
    const pump = stage.startPump({ sendDelivery, destinationInFlight: 64, workspaceInFlight: 256 });
    await eventually(() => hangingCount >= 200);

    await accepted(stage.pool, rowsOf('healthy', 100));
    await eventually(async () => {
      const left = await stage.db('deliveries').where({ destination_id: healthyId, status: 'pending' });
      return left.length === 0;
    });
    t.true(hangingCount <= SLOW * 8);
    if (isShared) t.true(hangingCount < 256);
    stopped.resolve();
    await pump.stop();
  });
}
