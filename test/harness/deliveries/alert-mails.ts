import type { ExecutionContext } from 'ava';
import { createAlertActivities } from '../../../activities/alerts/alert-activities.ts';
import type { Mail, Mailer } from '../../../activities/mails/mailer.ts';
import { listDueDigests } from '../../../db/alerts/digests.ts';
import { rememberingLog } from '../quiet-log.ts';
import { tenantDatabase } from '../tenant-database.ts';

/** An organization with the activities of its alert emails. `send` may reject. */
export async function alertMailStage(
  t: ExecutionContext,
  send: (mail: Mail) => Promise<void> = () => Promise.resolve(),
) {
  const { db, tenant } = await tenantDatabase(t);
  const { organization, workspace, user } = tenant;
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  const mails: Mail[] = [];
  const mailer: Mailer = {
    send: async (mail) => {
      await send(mail);
      mails.push(mail);
    },
    close: () => undefined,
  };
  const deps = { db, mailer, baseUrl: 'https://api.example.com', log: rememberingLog() };
  const activities = createAlertActivities(deps);
  const input = { organizationId: organization.publicId, intervalMs: 600_000 };
  return {
    ...tenant,
    db,
    place,
    mails,
    activities,
    deps,
    input,
    rule: (values: object = {}) =>
      db('alert_rules').insert({
        organization_id: organization.id,
        user_id: user.id,
        min_severity: 'warning',
        ...values,
      }),
    digest: async () => {
      await activities.collectAlerts(input);
      return await activities.mailAlerts(input);
    },
    passTime: () => db('alert_digests').update({ created_at: new Date(Date.now() - 86_400_000) }),
    passWait: () => db('alert_mails').update({ next_attempt_at: new Date(0) }),
    end: (publicId: string, resolution = 'ended') =>
      db('alerts').where({ public_id: publicId }).update({ resolved_at: new Date(), resolution }),
    due: () => listDueDigests(db, { gatherMs: 0, intervalMs: 600_000, limit: 10 }),
  };
}
