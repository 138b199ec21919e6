import { presentAlert } from '../../contract/alerts/present-alert.ts';

/** The alert of a test call. Its id is that of no alert. */
export function sampleAlert(organizationPublicId: string, at: Date) {
  return presentAlert({
    ...{ publicId: 'alr_00000000', kind: 'destination.circuit_open', severity: 'warning', occurrences: 1 },
    ...{ organizationPublicId, workspacePublicId: null, channelPublicId: null },
    ...{ subjectType: 'webhook', subjectId: null, subjectLabel: 'receiver.example.com', reason: null },
    ...{ openedAt: at, lastSeenAt: at, resolvedAt: null, resolution: null },
    ...{ acknowledgedAt: null, acknowledgedBy: null, mutedUntil: null },
  });
}
