import { type DestinationOptions, MAX_BATCH_EVENTS, retryScheduleOf } from '../../contract/destinations/options.ts';
import { destinationCircuitWorkflowId, type IdKey } from '../../contract/ids.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { DestinationHealth } from '../../db/destinations/health.ts';
import type { StaffChannel } from '../../db/staff/find-channels.ts';
import type { StaffAuditRecord } from '../../db/staff/list-staff-audit-records.ts';
import type { StaffDelivery } from '../../db/staff/list-staff-deliveries.ts';
import { type TemporalUi, workflowLink } from '../routing/temporal-links.ts';
import { presentAuditEntry } from '../audit/routes.ts';
import { presentDelivery } from '../deliveries/present.ts';

export function presentStaffDelivery(delivery: StaffDelivery, { idKey, ui }: { idKey: IdKey; ui: TemporalUi | null }) {
  const summary = presentDelivery(delivery, idKey);
  return { ...summary, ...ownerOf(delivery), temporalUrl: summary.workflowId && workflowLink(ui, summary.workflowId) };
}

function ownerOf({ organizationPublicId, organizationName, workspacePublicId }: StaffDelivery | StaffChannel) {
  return { organizationId: organizationPublicId, organizationName, workspaceId: workspacePublicId };
}

export function presentStaffChannel(channel: StaffChannel) {
  return { ...channel, ...ownerOf(channel), channelId: channel.publicId };
}

export function presentDestinationHealth(
  health: DestinationHealth,
  { channel, ui }: { channel: ChannelRecord; ui: TemporalUi | null },
) {
  const name = health.subscriptionPublicId ?? `webhook-${channel.publicId}`;
  return {
    ...health,
    ...presentOptions(health.options),
    subscriptionId: health.subscriptionPublicId,
    listenerId: health.listenerPublicId,
    circuit: {
      state: health.circuit,
      reason: health.circuitReason,
      openedAt: health.circuitOpenedAt,
      nextProbeAt: health.circuitProbeAt,
      temporalUrl: health.circuit === 'open' ? workflowLink(ui, destinationCircuitWorkflowId(name)) : null,
    },
    waiting: { pending: health.pendingCount, retrying: health.retryingCount },
  };
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
    headers,
    authentication: { type: authentication?.type ?? ('none' as const), username },
    timeoutSeconds: timeoutSeconds ?? null,
    rate: { requestsPerSecond: requestsPerSecond ?? null, concurrency: concurrency ?? null },
    retrySchedule: schedule,
    debounce: debounce ? { maxEvents: MAX_BATCH_EVENTS, ...debounce } : null,
  };
}

export function presentStaffAuditEntry(entry: StaffAuditRecord) {
  return { ...presentAuditEntry(entry), organizationId: entry.organizationPublicId, person: entry.person };
}
