import test from 'ava';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { routes } from '../../../openapi/route-table.ts';
import { scopes } from '../../../contract/identity/scopes.ts';
import { recordAudit } from '../../../db/audit/record-audit.ts';
import { testAudit } from '../../harness/audit.ts';
import { aSampledTenant } from '../../harness/access/id-samples.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { testApi } from '../../harness/api/api.ts';
import { aKey } from '../../harness/tenants.ts';

const reads = routes.filter(
  ({ access, method, eventStream }) => access.auth === 'credential' && method === 'get' && !eventStream,
);

/** Every read of the samples of a tenant, with everything that its cancelled delivery and its audit log name. */
async function aStage(t: Parameters<typeof testApi>[0]) {
  const { db, url } = await testApi(t);
  const tenant = await aSampledTenant(db);
  const actor = { type: 'user', id: tenant.user.publicId } as const;
  await recordAudit(db, { ...testAudit, organizationId: tenant.organization.id, actor, action: 'channel.moved' });
  const at = new Date().toISOString();
  const cancellation = { reason: 'requested', at, actorType: actor.type, actorId: actor.id };
  await db('deliveries').update({ status: 'cancelled', skip_reason: null, cancellation });
  const people = await db('users').pluck('email');
  const ids = { 'x-workspace-id': tenant.workspace.publicId };
  const shownBy = async (key: string) => {
    const shown: string[] = [];
    for (const route of reads) {
      const response = await fetch(`${url}${pathOf(route)}`, { headers: { ...ids, authorization: `Bearer ${key}` } });
      const text = await response.text();
      if (people.some((email) => text.includes(email))) shown.push(route.operationId);
    }
    return shown;
  };
  const pathOf = ({ path, parameters, access }: RouteDefinition) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => tenant.id(parameters[name]!.kind));
    const isScoped = access.auth === 'credential' && access.within === 'scope' && path === '/deliveries/histogram';
    return isScoped ? `${filled}?scope=workspace` : filled;
  };
  return { db, tenant, shownBy };
}

test('limited keys, agents and portals see no address of a person', async (t) => {
  const { db, tenant, shownBy } = await aStage(t);
  const { workspace } = tenant;
  const limited = {
    agent: await aKey(db, { ...tenant, scopes }),
    'a key of one workspace': await aKey(db, { ...tenant, workspaceIds: [workspace.id] }),
    portal: (await aPortal(db, tenant)).accessToken,
  };
  for (const [name, key] of Object.entries(limited)) t.deepEqual(await shownBy(key), [], name);
  const seen = await shownBy(tenant.apiKey);
  for (const read of [
    'getSession',
    'listWorkspaceMembers',
    'listAgentCredentials',
    'getDelivery',
    'listAuditEntries',
  ]) {
    t.true(seen.includes(read), `a full key sees it: ${read}`);
  }
});
