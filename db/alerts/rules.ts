import type { Knex } from 'knex';
import type { AlertKind, AlertSeverity } from '../../contract/alerts/kinds.ts';
import { queryRows } from '../core/query-rows.ts';

export interface AlertRule {
  /** Null for all workspaces that the person sees. */
  readonly workspaceId: string | null;
  readonly minSeverity: AlertSeverity;
  /** Null for all kinds. */
  readonly kinds: readonly AlertKind[] | null;
}

interface RuleOwner {
  readonly organizationId: number;
  readonly userId: number;
}

export async function listAlertRules(db: Knex, owner: RuleOwner): Promise<AlertRule[]> {
  return await queryRows<AlertRule>(
    db,
    `select w.public_id as "workspaceId", r.min_severity as "minSeverity", r.kinds
     from alert_rules r left join workspaces w on w.id = r.workspace_id
     where r.organization_id = :organizationId and r.user_id = :userId and w.deleted_at is null order by r.id`,
    { ...owner },
  );
}

export interface NewAlertRule extends Omit<AlertRule, 'workspaceId'> {
  readonly workspaceId: number | null;
}

/** Locks the person, so that concurrent calls leave the rules of one of them. */
export async function replaceAlertRules(trx: Knex, owner: RuleOwner, rules: readonly NewAlertRule[]): Promise<void> {
  const { organizationId, userId } = owner;
  await trx('organization_members')
    .where({ organization_id: organizationId, user_id: userId })
    .select('user_id')
    .forNoKeyUpdate();
  await trx('alert_rules').where({ organization_id: organizationId, user_id: userId }).delete();
  if (rules.length === 0) return;
  await trx('alert_rules').insert(
    rules.map(({ workspaceId, minSeverity, kinds }) => ({
      organization_id: organizationId,
      user_id: userId,
      workspace_id: workspaceId,
      min_severity: minSeverity,
      kinds: kinds === null ? null : [...kinds],
    })),
  );
}
