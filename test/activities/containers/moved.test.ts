import test from 'ava';
import { aTenant } from '../../harness/tenants.ts';
import { activityStage } from './containers-stage.ts';

test('a container publishes nothing after its channel moved to another workspace', async (t) => {
  const { db, channel, finished, publish, callsAt } = await activityStage(t);
  const container = await finished();
  const { workspace } = await aTenant(db);
  await db('channels').where({ id: channel.id }).update({ workspace_id: workspace.id });

  t.is(await publish(container), 'rejected');
  t.is(callsAt('publish').length, 0);
});
