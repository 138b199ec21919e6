import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import { staffRoutes } from '../../../openapi/staff/routes.ts';
import { revokeStaffKey } from '../../../db/staff/keys.ts';
import { setStaff } from '../../../db/people/users.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('a staff key ends by revocation, expiry or loss of staff status', async (t) => {
  const { db, call, refused } = await testApi(t);
  const good = await aStaffKey(db);
  const revoked = await aStaffKey(db);
  const left = await aStaffKey(db);
  const expired = await aStaffKey(db, { expiresAt: new Date(Date.now() - 1_000) });
  const later = await aStaffKey(db, { expiresAt: new Date(Date.now() + 60_000) });
  t.true(await revokeStaffKey(db, revoked.publicId));
  t.false(await revokeStaffKey(db, revoked.publicId));
  await setStaff(db, left.user.id, { isStaff: false });
  for (const { token } of [good, later])
    t.is((await call('GET /staff/deliveries?reason=Call', { key: token })).status, 200);
  for (const { token } of [revoked, expired, left]) {
    await refused('AUTH_REQUIRED', 'GET /staff/deliveries', { key: token });
  }
});

test("a staff member's session cannot use staff routes", async (t) => {
  const { db, refused } = await testApi(t);
  const { user } = await aStaffKey(db);
  const { headers } = await aSession(db, user);
  await refused('FORBIDDEN', 'GET /staff/deliveries', { headers });
});

test('organization keys cannot use staff routes', async (t) => {
  const { db, refused, workspace, key } = await tenantStage(t);
  const other = await aTenant(db);
  const channel = await aChannel(db, other.workspace);
  const destinationId = await aWebhook(db, channel);
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const body = { reason: 'Curiosity' };
  for (const { method, path } of Object.values(staffRoutes)) {
    const filled = path.replace('{wd}', publicId).replace('{ch}', channel.publicId);
    const call = { workspace: workspace.publicId, ...(method === 'post' && { body }) };
    const route = `${method.toUpperCase()} ${filled}${filled.endsWith(publicId) ? '?reason=Curiosity' : ''}`;
    await refused('FORBIDDEN', route, { ...call, key });
    await refused('FORBIDDEN', route, { ...call, key: other.apiKey });
  }
  t.like(await db('deliveries').where({ id }).first(), { status: 'exhausted' });
  t.is((await db('audit_entries').where({ target_id: publicId })).length, 0);
});

test('staff keys open only the routes under /staff', (t) => {
  for (const { path, access, operationId } of routes) {
    if (access.auth === 'none') continue;
    const isForStaff = access.principals.some((kind) => kind === 'staff');
    t.is(isForStaff, path.startsWith('/staff/'), operationId);
    if (isForStaff) t.deepEqual(access.principals, ['staff'], operationId);
  }
});

test('malformed and unknown ids are not found under /staff', async (t) => {
  const { db, refused } = await testApi(t);
  const { token: key } = await aStaffKey(db);
  for (const id of ['wd_1', 'ch_00000000', 'wd_00000000']) {
    await refused('DELIVERY_NOT_FOUND', `GET /staff/deliveries/${id}?reason=Call`, { key });
    await refused('DELIVERY_NOT_FOUND', `POST /staff/deliveries/${id}/retry`, { key, body: { reason: 'Call' } });
    await refused('DELIVERY_NOT_FOUND', `POST /staff/deliveries/${id}/replay`, { key, body: { reason: 'Call' } });
  }
  for (const id of ['ch_1', 'ch_00000000']) await refused('CHANNEL_NOT_FOUND', `GET /staff/channels/${id}`, { key });
});
