import test from 'ava';
import { MAX_PENDING } from '../../../../db/ledger/replays/send-replay-batch.ts';
import { countUnverified, hostSql, verifySubscriptions } from '../../../../db/replays/verify-subscriptions.ts';
import { eventually } from '../../../harness/eventually.ts';
import { aSubscriptionDestination } from '../../../harness/deliveries/hot-ledger.ts';
import { replayStage } from '../../../harness/replays/replays.ts';
import { aChannel, aTenant } from '../../../harness/tenants.ts';
import { pluck } from '../../../harness/pluck.ts';

const VICTIM = 'https://victim.example.org/hook';

/** The subscription has another origin than the webhook. */
async function aimedStage(t: Parameters<typeof replayStage>[0], count: number) {
  const stage = await replayStage(t);
  const subscription = await aSubscriptionDestination(stage, stage.channel);
  await stage.db('destinations').where({ id: subscription }).update({ url: VICTIM });
  await stage.sources(count, { destinationId: subscription });
  return { ...stage, subscription };
}

test('replays at 1,000 a second send ten to an unverified host', async (t) => {
  const stage = await aimedStage(t, 25);
  await stage.sendAll(await stage.plannedReplay({ ratePerSecond: 1_000 }));
  t.is((await stage.sentDeliveries()).length, 25);
  t.true((await stage.mostWithinASecond()) <= 11);
});

test('all replays to all subscriptions at one host share its pace', async (t) => {
  const stage = await aimedStage(t, 10);
  const second = await aSubscriptionDestination(stage, stage.channel);
  await stage.db('destinations').where({ id: second }).update({ url: 'https://VICTIM.example.org:8443/other' });
  await stage.sources(10, { destinationId: second });
  const replayIds = [await stage.plannedReplay(), await stage.plannedReplay()];
  await Promise.all(replayIds.map((replayId) => stage.sendAll(replayId)));
  t.is((await stage.sentDeliveries()).length, 40);
  t.true((await stage.mostWithinASecond()) <= 11);
});

test('replays limit pending requests at an unverified host', async (t) => {
  const stage = await aimedStage(t, 12);
  const replayId = await stage.plannedReplay();
  await eventually(async () => {
    await stage.send(replayId);
    return (await stage.sentDeliveries()).length === 4;
  });
  await stage.db('replay_paces').update({ paced_at: new Date(0) });
  await stage.send(replayId);
  t.is((await stage.sentDeliveries()).length, 4);
});

test('a verified webhook verifies subscriptions of its origin in the organization', async (t) => {
  const stage = await aimedStage(t, MAX_PENDING);
  const { db, tenant, subscription, destinationId } = stage;
  const organizationId = tenant.organization.id;
  const { place } = stage.everything;
  const isVerified = async () => {
    await verifySubscriptions(db, { organizationId });
    return (await countUnverified(db, { place, destination: null })) === 0;
  };
  t.false(await isVerified());
  for (const other of [
    'https://victim.example.org:8443/',
    'http://victim.example.org/',
    'https://victim.example.org.evil/',
  ]) {
    await db('destinations').where({ id: destinationId }).update({ url: other });
    t.false(await isVerified(), other);
  }
  await db('destinations').where({ id: destinationId }).update({ url: 'https://Victim.example.org/webhook?a' });
  t.true(await isVerified());
  const replayId = await stage.plannedReplay();
  await eventually(async () => {
    await stage.send(replayId);
    return (await stage.sentDeliveries()).length > 4;
  });
  await db('destinations').where({ id: subscription }).update({ url: 'https://another.example.org/hook' });
  t.false(await isVerified(), 'a new URL is not verified');
});

test("another organization's webhook does not verify a subscription", async (t) => {
  const stage = await aimedStage(t, 1);
  const other = await aTenant(stage.db);
  const channel = await aChannel(stage.db, other.workspace);
  await stage.db('destinations').where({ id: stage.destinationId }).update({ url: VICTIM });
  const theirs = await aSubscriptionDestination(stage, channel);
  await stage.db('destinations').where({ id: theirs }).update({ url: VICTIM });
  await verifySubscriptions(stage.db, { organizationId: other.organization.id });
  const place = { organizationId: other.organization.id, workspaceId: null, channelId: null };
  t.is(await countUnverified(stage.db, { place, destination: null }), 1);
});

const hosts = {
  'https://victim.example.org/hook': 'victim.example.org',
  'HTTPS://Victim.Example.org.:8443?a=/b': 'victim.example.org',
  'https://victim.example.org#x': 'victim.example.org',
  'https://%76ictim.example.org/': 'other',
  'https://victim。example.org/': 'other',
  'https://\u017fite.example.org/': 'other',
  'https:victim.example.org/': 'other',
  'https://user@victim.example.org/': 'other',
  'https://203.0.113.7/': 'other',
  'https://0xcb.0.113.7/': 'other',
  'https://3405803783/': 'other',
  'https://[2001:db8::1]/': 'other',
} as const;

test("different spellings of a URL share the host's pace", async (t) => {
  const { pool } = await replayStage(t);
  const { rows } = await pool.query<{ host: string }>(
    `select ${hostSql('url')} as host from unnest(cast($1 as text[])) with ordinality as given (url, place) order by place`,
    [Object.keys(hosts)],
  );
  t.deepEqual(pluck(rows, 'host'), Object.values(hosts));
});
