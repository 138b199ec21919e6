import { describeAlert } from './describe-alert.ts';
import {
  type AlertKind,
  alertKinds,
  type AlertResolution,
  type AlertSeverity,
  type AlertSubjectType,
} from './kinds.ts';

export interface PresentedAlert {
  readonly publicId: string;
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  readonly organizationPublicId: string;
  readonly workspacePublicId: string | null;
  readonly channelPublicId: string | null;
  readonly subjectType: AlertSubjectType;
  readonly subjectId: string | null;
  readonly subjectLabel: string;
  readonly reason: string | null;
  readonly occurrences: number;
  readonly openedAt: Date;
  readonly lastSeenAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolution: AlertResolution | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly mutedUntil: Date | null;
}

/** Returns the alert as the API and the alert webhook show it. */
export function presentAlert(alert: PresentedAlert) {
  const { kind, subjectLabel: label, occurrences, reason } = alert;
  return {
    alertId: alert.publicId,
    kind,
    severity: alert.severity,
    status: alert.resolvedAt === null ? ('open' as const) : ('resolved' as const),
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
