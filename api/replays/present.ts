import { replayWorkflowId } from '../../contract/ids.ts';
import type { StaffReplayBody } from '../../openapi/staff/replay-routes.ts';
import { type ReplayBody, selectingFilters } from '../../openapi/replays/routes.ts';
import { type ReplayProgress, type ReplayRecord, scopeOf } from '../../db/replays/replays.ts';
import { type TemporalUi, workflowLink } from '../routing/temporal-links.ts';

const nothing: ReplayProgress = { delivered: 0, failed: 0, waiting: 0 };

export function presentReplay(replay: ReplayRecord, progress = nothing): ReplayBody {
  return {
    replayId: replay.publicId,
    status: replay.status,
    scope: scopeOf(replay),
    since: replay.since.toISOString(),
    until: replay.until.toISOString(),
    statuses: [...replay.statuses],
    eventTypes: replay.eventTypes && [...replay.eventTypes],
    channelIds: replay.channelPublicIds && [...replay.channelPublicIds],
    originalDestinations: replay.originalDestinations && [...replay.originalDestinations],
    httpStatuses: replay.httpStatuses && [...replay.httpStatuses],
    selectedBy: selectingFilters.filter((name) => replay.selectedBy?.includes(name)),
    destination: replay.destination,
    ratePerSecond: replay.ratePerSecond,
    matched: replay.matched,
    sent: replay.sent,
    delivered: progress.delivered,
    failed: progress.failed + replay.missing,
    waiting: progress.waiting,
    createdAt: replay.createdAt.toISOString(),
    startedAt: replay.startedAt?.toISOString() ?? null,
    endedAt: replay.endedAt?.toISOString() ?? null,
    workflowId: replayWorkflowId(replay.publicId),
  };
}

export function presentStaffReplay(
  replay: ReplayRecord,
  { ui, progress }: { readonly ui: TemporalUi | null; readonly progress: ReplayProgress | undefined },
): StaffReplayBody {
  return {
    ...presentReplay(replay, progress),
    organizationId: replay.organizationPublicId,
    workspaceId: replay.workspacePublicId,
    temporalUrl: workflowLink(ui, replayWorkflowId(replay.publicId)),
  };
}
