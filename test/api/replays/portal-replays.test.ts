import test, { type ExecutionContext } from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, type Tenant } from '../../harness/tenants.ts';

const wanted = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z', statuses: ['exhausted'] };

async function aStage(t: ExecutionContext) {
  const api = await tenantStage(t);
  const { db, call, tenant } = api;
  /** A customer with an exhausted delivery and a portal. */
  const aCustomer = async (workspace: Tenant['workspace']) => {
    const channel = await aChannel(db, workspace);
    await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId: await aWebhook(db, channel) });
    const { accessToken: key } = await aPortal(db, { ...tenant, workspace });
    const request = { key, workspace: workspace.publicId, body: { ...wanted, scope: `channel:${channel.publicId}` } };
    const replay = (idempotencyKey: string, others: object = {}) =>
      call('POST /replays', { ...request, ...others, headers: { 'idempotency-key': idempotencyKey } });
    return { ...request, replay };
  };
  const first = await aCustomer(tenant.workspace);
  const second = await insertWorkspace(db, {
    organizationId: tenant.organization.id,
    name: 'Shop',
    kind: 'customer',
  });
  return { ...api, first, second: await aCustomer(second) };
}

test('customers run two replays each, and the organization more', async (t) => {
  const { db, refused, first, second, apiKey, workspace } = await aStage(t);
  const answers = await Promise.all(['one', 'two', 'three'].map((key) => first.replay(key)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 202, 409]);
  const { body } = await refused('LIMIT_REACHED', 'POST /replays', first);
  t.regex(body.message, /at most 2 replays/);
  t.is((await second.replay('one')).status, 202);
  t.is((await first.replay('four', { key: apiKey })).status, 202);
  t.is((await db('replays').where({ by_portal: true })).length, 3);

  const [one] = await db('replays').where({ by_portal: true, workspace_id: workspace.id });
  await db('replays').where({ id: one.id }).update({ status: 'cancelled', ended_at: new Date() });
  t.is((await first.replay('five')).status, 202);
});

test('a customer starts a limited number of replays per day', async (t) => {
  const { db, refused, first } = await aStage(t);
  await first.replay('one');
  await db('replays').update({ status: 'cancelled', ended_at: new Date() });
  const { id, ...replay } = await db('replays').first();
  const others = Array.from({ length: 19 }, (_, index) => ({
    ...replay,
    public_id: `rpl_${String(index).padStart(8, '0')}`,
    idempotency_key_hash: null,
    request_hash: null,
  }));
  await db('replays').insert(others);
  const { body } = await refused('LIMIT_REACHED', 'POST /replays', first);
  t.regex(body.message, /at most 20 replays per day/);
  await db('replays')
    .where({ id })
    .update({ created_at: new Date(Date.now() - 86_400_000) });
  t.is((await first.replay('two')).status, 202);
});

test('customers may use the same Idempotency-Key', async (t) => {
  const { first, second, apiKey } = await aStage(t);
  const mine = await first.replay('one');
  t.is((await first.replay('one')).body.replayId, mine.body.replayId);
  const theirs = await second.replay('one');
  t.is(theirs.status, 202);
  t.not(theirs.body.replayId, mine.body.replayId);
  const ours = await first.replay('one', { key: apiKey });
  t.is(ours.status, 202);
  t.not(ours.body.replayId, mine.body.replayId);
});
