import type { Knex } from 'knex';
import { listAlertRules, type NewAlertRule, replaceAlertRules } from '../../db/alerts/rules.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { alertPreferenceRoutes as routes } from '../../openapi/alerts/preference-routes.ts';
import { auditContext } from '../access/audit-context.ts';
import type { OrganizationScope } from '../access/tenancy.ts';
import type { Principal } from '../requests/state.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { viewOf } from './alert-access.ts';

export function mountAlertPreferenceRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.getAlertPreferences, async ({ organization, principal }) => {
    return { rules: await present(db, { organizationId: organization.id, userId: principal.userId }) };
  });

  mountOperation(mount, routes.setAlertPreferences, async (request) => {
    const { organization, principal, body } = request;
    const owner = { organizationId: organization.id, userId: principal.userId };
    const workspaceIds = await workspacesOf(db, request, body.rules);
    const rules: NewAlertRule[] = body.rules.map(({ workspaceId, minSeverity, kinds }) => {
      return { workspaceId: workspaceId === null ? null : (workspaceIds.get(workspaceId) ?? null), minSeverity, kinds };
    });
    await db.transaction(async (trx) => {
      await replaceAlertRules(trx, owner, rules);
      await recordAudit(trx, { ...auditContext(request), action: 'alertPreferences.updated' });
    });
    return { rules: await present(db, owner) };
  });
}

async function present(db: Knex, owner: { readonly organizationId: number; readonly userId: number }) {
  const rules = await listAlertRules(db, owner);
  return rules.map(({ kinds, ...rule }) => ({ ...rule, kinds: kinds && [...kinds] }));
}

/** Throws for a workspace that the person does not see. */
async function workspacesOf(
  db: Knex,
  caller: { readonly principal: Principal; readonly organization: OrganizationScope },
  rules: readonly { readonly workspaceId: string | null }[],
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  for (const { workspaceId } of rules) {
    if (workspaceId === null || found.has(workspaceId)) continue;
    found.set(workspaceId, (await viewOf(db, caller, workspaceId)).workspaceId);
  }
  return found;
}
