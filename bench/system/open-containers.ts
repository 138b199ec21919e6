import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createContainer } from '../../workflow-starts/carry-container.ts';
import { createWorkflowCalls } from '../../workflow-starts/workflow-calls.ts';
import { containerWorkflowId } from '../../contract/ids.ts';
import { containerInput } from '../../openapi/containers/schema.ts';
import { insertContainer } from '../../db/containers/containers.ts';
import { containerStartOf } from '../../db/containers/records.ts';
import type { SeededChannel } from './seed.ts';
import type { System } from './system.ts';

export interface StartContainers {
  readonly system: System;
  readonly client: Client;
  readonly channels: readonly SeededChannel[];
  readonly count: number;
  readonly pollMs: number;
}

const STARTING_AT_ONCE = 16;
const LOOK_MS = 500;
const DEADLINE_MS = 30 * 60_000;
const request = containerInput.parse({ mediaType: 'REELS', videoUrl: 'https://media.example.com/1.mp4' });

export async function startContainers(start: StartContainers): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const startOneByOne = async (): Promise<void> => {
    while (next < start.count) ids.push(await startContainer(start, next++));
  };
  // All calls must end before the first failure is thrown.
  const ends = await Promise.allSettled(Array.from({ length: STARTING_AT_ONCE }, startOneByOne));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return ids;
}

async function startContainer({ system, client, channels, pollMs }: StartContainers, number: number): Promise<string> {
  const { id: channelId, workspaceId } = channels[number % channels.length]!;
  const { container } = await insertContainer(system.db, {
    ...{ channelId, workspaceId, request, requestHash: randomBytes(32), idempotency: null },
  });
  const calls = createWorkflowCalls({ client });
  const started = await createContainer(calls, { container: containerStartOf(container), pollScheduleMs: [pollMs] });
  if (started.state !== 'ended') throw new Error('A container could not be started', { cause: started.cause });
  return container.publicId;
}

export async function untilRows(
  { db }: System,
  { where, count }: { readonly where: string; readonly count: number },
): Promise<void> {
  const lateAtMs = performance.now() + DEADLINE_MS;
  for (;;) {
    const { rows } = await db.raw<{ rows: { found: number; lost: number; why: string | null }[] }>(
      `select cast(count(*) filter (where ${where}) as integer) as found,
         cast(count(*) filter (where status in ('error', 'unknown')) as integer) as lost,
         min(status_detail) filter (where status in ('error', 'unknown')) as why
       from media_containers`,
    );
    const { found = 0, lost = 0, why } = rows[0] ?? {};
    if (lost > 0) throw new Error(`${lost} containers failed unexpectedly: ${why}`);
    if (found === count) return;
    if (performance.now() > lateAtMs) throw new Error(`Only ${found} of ${count} containers match ${where}`);
    await sleep(LOOK_MS);
  }
}

export interface HistoryLength {
  readonly events: number;
  readonly looks: number;
}

export async function historyLength(client: Client, containerIds: readonly string[]): Promise<HistoryLength> {
  let [events, looks] = [0, 0];
  for (const containerId of containerIds) {
    const history = await client.workflow.getHandle(containerWorkflowId(containerId)).fetchHistory();
    for (const { activityTaskScheduledEventAttributes: activity } of history.events ?? []) {
      events++;
      if (activity?.activityType?.name === 'checkContainer') looks++;
    }
  }
  return { events, looks };
}

export async function writeTransactions({ db }: System): Promise<number> {
  const { rows } = await db.raw<{ rows: { next: string }[] }>(
    'select cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as next',
  );
  return Number(rows[0]?.next);
}
