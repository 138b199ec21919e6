import test, { type ExecutionContext } from 'ava';
import { recordPart, takePart } from '../../../db/containers/parts.ts';
import { createGatewayContainers } from '../../../db/containers/gateway-containers.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { aChannel } from '../../harness/tenants.ts';

const accountId = '200000000000011';

async function startContainers(t: ExecutionContext<unknown>) {
  const stage = await containerStage(t);
  const pool = () => testHotPool(t, stage.url);
  return { ...stage, one: createGatewayContainers(pool()), other: createGatewayContainers(pool()) };
}

test('every gateway knows a recorded container for its channel and account', async (t) => {
  const { db, tenant, channel, one, other } = await startContainers(t);
  const stranger = await aChannel(db, tenant.workspace, { type: 'photoapp' });
  const owner = { channelId: channel.id, accountId };

  await one.record({ ...owner, platformIds: ['31', '32'] });
  await other.record({ ...owner, platformIds: ['31'] });

  t.true(await other.isOwn({ ...owner, platformId: '31' }));
  t.true(await other.isOwn({ ...owner, platformId: '32' }));
  t.false(await other.isOwn({ ...owner, platformId: '33' }));
  t.false(await other.isOwn({ ...owner, accountId: '9', platformId: '31' }));
  t.false(await other.isOwn({ channelId: stranger.id, accountId, platformId: '31' }));
});

test('a container of the management API belongs to its channel', async (t) => {
  const { db, tenant, channel, image, one } = await startContainers(t);
  const stranger = await aChannel(db, tenant.workspace, { type: 'photoapp' });
  const container = await image({ status: 'creating' });
  await takePart(db, { id: container.id, position: 0 });
  await recordPart(db, { id: container.id, position: 0, outcome: 'accepted', platformId: '51' });

  t.true(await one.isOwn({ channelId: channel.id, accountId, platformId: '51' }));
  t.false(await one.isOwn({ channelId: stranger.id, accountId, platformId: '51' }));
});

test('an expired container is unknown and removed by the next insert', async (t) => {
  const { db, channel, one } = await startContainers(t);
  const owner = { channelId: channel.id, accountId };
  await one.record({ ...owner, platformIds: ['31'] });
  await db('gateway_containers').update({ expires_at: new Date(Date.now() - 1_000) });

  t.false(await one.isOwn({ ...owner, platformId: '31' }));
  await one.record({ ...owner, platformIds: ['32'] });

  t.deepEqual(await db('gateway_containers').pluck('platform_id'), ['32']);
});
