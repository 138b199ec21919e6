import { describeAlert } from '../../contract/alerts/describe-alert.ts';
import { alertKinds } from '../../contract/alerts/kinds.ts';
import type { AlertRecord } from '../../db/alerts/alerts.ts';
import type { AlertBody } from '../../openapi/alerts/schema.ts';

export function presentAlert(alert: AlertRecord): AlertBody {
  const { kind, subjectLabel: label, occurrences, reason } = alert;
  return {
    alertId: alert.publicId,
    kind,
    severity: alert.severity,
    status: alert.resolvedAt === null ? 'open' : 'resolved',
    organizationId: alert.organizationPublicId,
    workspaceId: alert.workspacePublicId,
    channelId: alert.channelPublicId,
    subject: { type: alert.subjectType, id: alert.subjectId, label },
    title: alertKinds[kind].title,
    description: describeAlert({ kind, label, occurrences, reason }),
    occurrences,
    openedAt: alert.openedAt.toISOString(),
    lastSeenAt: alert.lastSeenAt.toISOString(),
    resolvedAt: alert.resolvedAt?.toISOString() ?? null,
    acknowledgedAt: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: alert.acknowledgedBy,
    mutedUntil: alert.mutedUntil?.toISOString() ?? null,
  };
}
