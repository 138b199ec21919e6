import test, { type ExecutionContext } from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aMember, aTenant } from '../../harness/tenants.ts';

async function stage(t: ExecutionContext) {
  const api = await tenantStage(t);
  const { tenant } = api;
  const path = `/organizations/${tenant.organization.publicId}/alert-preferences`;
  const session = await aSession(api.db, tenant.user);
  return {
    ...api,
    path,
    put: (rules: unknown, by = session) => api.call(`PUT ${path}`, { headers: by.headers, body: { rules } }),
    get: (by = session) => api.call(`GET ${path}`, { headers: by.headers }),
  };
}

const rule = { workspaceId: null, minSeverity: 'critical', kinds: ['replay.failed'] };

test('rules are stored per person and replaced as a whole', async (t) => {
  const { db, put, get, workspace, organization } = await stage(t);
  t.deepEqual((await get()).body, { rules: [] });
  const own = { workspaceId: workspace.publicId, minSeverity: 'warning', kinds: null };
  t.deepEqual((await put([rule, own])).body, { rules: [rule, own] });
  t.deepEqual((await get()).body, { rules: [rule, own] });
  const other = await aSession(db, await aMember(db, organization, 'member'));
  t.deepEqual((await get(other)).body, { rules: [] });
  t.deepEqual((await put([])).body, { rules: [] });
  t.is((await db('audit_entries').where({ action: 'alertPreferences.updated' })).length, 2);
});

test('unknown fields, too many rules and unseen workspaces are refused', async (t) => {
  const { db, put, organization } = await stage(t);
  t.is((await put([{ ...rule, other: 1 }])).status, 400);
  t.is((await put([{ ...rule, kinds: [] }])).status, 400);
  t.is((await put(Array.from({ length: 101 }, () => rule))).status, 400);
  const foreign = await aTenant(db);
  t.is((await put([{ ...rule, workspaceId: foreign.workspace.publicId }])).status, 404);
  const hidden = await insertWorkspace(db, { organizationId: organization.id, name: 'Hidden', kind: 'team' });
  const member = await aSession(db, await aMember(db, organization, 'member'));
  t.is((await put([{ ...rule, workspaceId: hidden.publicId }], member)).status, 404);
});
