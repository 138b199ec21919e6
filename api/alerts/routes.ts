import { isMoment, MAX_MUTE_MS } from '../../contract/alerts/kinds.ts';
import { presentAlert } from '../../contract/alerts/present-alert.ts';
import {
  acknowledgeAlert,
  type AlertRecord,
  countOpenAlerts,
  findAlert,
  listAlerts,
  muteAlert,
} from '../../db/alerts/alerts.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { alertRoutes as routes } from '../../openapi/alerts/routes.ts';
import { auditContext } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, InvalidRequest, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { requireAlert, viewOf } from './alert-access.ts';
import { mountAlertWebhookRoutes } from './webhook-routes.ts';
import type { Knex } from 'knex';
import { listAlertRules, type NewAlertRule, replaceAlertRules } from '../../db/alerts/rules.ts';
import { alertPreferenceRoutes } from '../../openapi/alerts/preference-routes.ts';
import type { OrganizationScope } from '../access/tenancy.ts';
import type { Principal } from '../requests/state.ts';

export function mountAlertRoutes(mount: Mount): void {
  mountAlertPreferenceRoutes(mount);
  mountAlertWebhookRoutes(mount);
  const { deps } = mount;
  const { db, readDb } = deps;

  mountRoute(mount, routes.listAlerts, async (request) => {
    const { workspaceId, channelId, status, kind, severity } = request.query;
    const view = await viewOf(db, request, workspaceId);
    const page = await readNamedPage(request.query, 'publicId', (after) =>
      listAlerts(readDb, { ...view, channelPublicId: channelId, status, kind, severity, ...after }),
    );
    return { alerts: page.items.map(presentAlert), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.countAlerts, async (request) => {
    return await countOpenAlerts(readDb, await viewOf(db, request, request.query.workspaceId));
  });

  mountRoute(mount, routes.getAlert, async (request) => {
    return presentAlert(await requireAlert(db, request, request.params.alr));
  });

  mountRoute(mount, routes.acknowledgeAlert, async (request) => {
    const alert = await requireAlert(db, request, request.params.alr);
    const by = request.principal.credentialId;
    const act = (trx: ApiDeps['db']) => acknowledgeAlert(trx, { id: alert.id, by, resolves: isMoment(alert.kind) });
    return await change(deps, { alert, act, action: 'alert.acknowledged', audit: auditContext(request) });
  });

  mountRoute(mount, routes.muteAlert, async (request) => {
    const alert = await requireAlert(db, request, request.params.alr);
    const until = muteEnd(request.body.until, Date.now());
    const act = (trx: ApiDeps['db']) => muteAlert(trx, { id: alert.id, until });
    return await change(deps, { alert, act, action: 'alert.muted', audit: auditContext(request) });
  });

  mountRoute(mount, routes.unmuteAlert, async (request) => {
    const alert = await requireAlert(db, request, request.params.alr);
    const act = (trx: ApiDeps['db']) => muteAlert(trx, { id: alert.id, until: null });
    return await change(deps, { alert, act, action: 'alert.unmuted', audit: auditContext(request) });
  });
}

/** After the look-up, so that an alert that the caller does not see is missing first. */
function muteEnd(text: string, nowMs: number): Date {
  const until = new Date(text);
  if (until.getTime() <= nowMs) throw new InvalidRequest('body.until: must be in the future.');
  if (until.getTime() <= nowMs + MAX_MUTE_MS) return until;
  throw new InvalidRequest(`body.until: must be within ${MAX_MUTE_MS / 86_400_000} days.`);
}

interface AlertChange {
  readonly alert: AlertRecord;
  readonly act: (trx: ApiDeps['db']) => Promise<boolean>;
  readonly action: string;
  readonly audit: AuditContext;
}

async function change({ db }: ApiDeps, { alert, act, action, audit }: AlertChange) {
  const { publicId, organizationId, workspaceId } = alert;
  const changed = await db.transaction(async (trx) => {
    if (!(await act(trx))) throw new Conflict('ALERT_RESOLVED', 'The alert is resolved. Nothing remains to be done.');
    await recordAudit(trx, { ...audit, organizationId, workspaceId, action, targetId: publicId });
    return await findAlert(trx, publicId);
  });
  if (!changed) throw new NotFound('ALERT_NOT_FOUND');
  return presentAlert(changed);
}

function mountAlertPreferenceRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountRoute(mount, alertPreferenceRoutes.getAlertPreferences, async ({ organization, principal }) => {
    return { rules: await listAlertRules(db, { organizationId: organization.id, userId: principal.userId }) };
  });

  mountRoute(mount, alertPreferenceRoutes.setAlertPreferences, async (request) => {
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
    return { rules: await listAlertRules(db, owner) };
  });
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
