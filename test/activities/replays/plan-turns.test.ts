import test from 'ava';
import { eventually } from '../../harness/eventually.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('the plans of an organization take one connection of the pump', async (t) => {
  const stage = await replayStage(t);
  const { db, everything } = stage;
  const mine = [await stage.replay(), await stage.replay(), await stage.replay()];
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const place = { organizationId: organization.id, workspaceId: workspace.id, channelId: channel.id };
  const theirs = await stage.replay({ ...everything, place });
  const plan = (replayId: string) => inActivity(() => stage.activities.planReplay({ replayId }));
  const lock = await db.transaction();
  t.teardown(() => lock.rollback());
  await lock('replays').whereIn('public_id', mine).forUpdate();
  const waitingPlans = async (): Promise<number> => {
    const { rows } = await db.raw(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%for update%chosen as%'`,
    );
    return rows[0].count;
  };

  const plans = mine.map(plan);
  await eventually(async () => (await waitingPlans()) === 1);
  t.is((await plan(theirs)).status, 'running', 'another organization');
  t.is(await waitingPlans(), 1);

  await lock.rollback();
  t.is((await Promise.all(plans)).length, 3, 'beyond its share of the queue, a plan continues later');
});
