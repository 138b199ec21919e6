import { type DestinationOptions, MAX_BATCH_EVENTS, retryScheduleOf } from '../../contract/destinations/options.ts';
import { destinationCircuitWorkflowId, type IdKey } from '../../contract/ids.ts';
import type { DestinationHealthBody, StaffDeliverySummaryBody } from '../../openapi/staff/schema.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { DestinationHealth } from '../../db/destinations/health.ts';
import type { StaffAuditRecord } from '../../db/staff/list-staff-audit-records.ts';
import type { StaffDelivery } from '../../db/staff/list-staff-deliveries.ts';
import { type TemporalUi, workflowLink } from '../routing/temporal-links.ts';
import { presentAuditEntry } from '../audit/present.ts';
import { presentDelivery } from '../deliveries/present.ts';

export function presentStaffDelivery(
  delivery: StaffDelivery,
  { idKey, ui }: { idKey: IdKey; ui: TemporalUi | null },
): StaffDeliverySummaryBody {
  const summary = presentDelivery(delivery, idKey);
  return { ...summary, ...ownerOf(delivery), temporalUrl: summary.workflowId && workflowLink(ui, summary.workflowId) };
}

function ownerOf({ organizationPublicId, organizationName, workspacePublicId }: StaffDelivery) {
  return { organizationId: organizationPublicId, organizationName, workspaceId: workspacePublicId };
}

export function presentDestinationHealth(
  health: DestinationHealth,
  { channel, ui }: { channel: ChannelRecord; ui: TemporalUi | null },
): DestinationHealthBody {
  const name = health.subscriptionPublicId ?? `webhook-${channel.publicId}`;
  return {
    type: health.type,
    url: health.url,
    label: health.label,
    subscriptionId: health.subscriptionPublicId,
    listenerId: health.listenerPublicId,
    isKept: health.isKept,
    ordering: health.ordering,
    sendsTraceParent: health.sendsTraceParent,
    ...presentOptions(health.options),
    enabled: health.enabled,
    disabledReason: health.disabledReason,
    circuit: {
      state: health.circuit,
      reason: health.circuitReason,
      openedAt: isoTime(health.circuitOpenedAt),
      nextProbeAt: isoTime(health.circuitProbeAt),
      temporalUrl: health.circuit === 'open' ? workflowLink(ui, destinationCircuitWorkflowId(name)) : null,
    },
    consecutiveFailures: health.consecutiveFailures,
    failingSince: isoTime(health.failingSince),
    notSettlingSince: isoTime(health.notSettlingSince),
    lastDeliveredAt: isoTime(health.lastDeliveredAt),
    lastFailureAt: isoTime(health.lastFailureAt),
    waiting: { pending: health.pendingCount, retrying: health.retryingCount },
    oldestWaitingAt: isoTime(health.oldestWaitingAt),
  };
}

function isoTime(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

function presentOptions(options: DestinationOptions | null) {
  const {
    headers = [],
    authentication,
    timeoutSeconds,
    requestsPerSecond,
    concurrency,
    retrySteps,
    debounce,
  } = options ?? {};
  const username = authentication?.type === 'basic' ? authentication.username : null;
  const schedule = retryScheduleOf(retrySteps);
  return {
    headers: [...headers],
    authentication: { type: authentication?.type ?? ('none' as const), username },
    timeoutSeconds: timeoutSeconds ?? null,
    rate: { requestsPerSecond: requestsPerSecond ?? null, concurrency: concurrency ?? null },
    retrySchedule: typeof schedule === 'object' ? { steps: [...schedule.steps] } : schedule,
    debounce: debounce ? { maxEvents: MAX_BATCH_EVENTS, ...debounce } : null,
  };
}

export function presentStaffAuditEntry(entry: StaffAuditRecord) {
  return { ...presentAuditEntry(entry), organizationId: entry.organizationPublicId, person: entry.person };
}
