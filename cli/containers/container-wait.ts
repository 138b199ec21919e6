import type { Schema } from '../../client/create-client.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { type Field, type CellValue, type Tone, timeCell } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';
import { pause, formatSeconds } from '../terminal/pause.ts';

type Container = Schema<'MediaContainer'>;

const tones: Readonly<Record<ContainerStatus, Tone>> = {
  creating: 'busy',
  in_progress: 'busy',
  finished: 'good',
  publishing: 'busy',
  published: 'good',
  error: 'bad',
  expired: 'bad',
  unknown: 'bad',
};
const failed: readonly ContainerStatus[] = ['error', 'expired', 'unknown'];
const POLL_MS = 1_000;

export function statusCell({ status }: Container): CellValue {
  return { text: status, tone: tones[status] };
}

interface Wait {
  readonly read: () => Promise<Container>;
  /** If false, waits only until the container can be published. */
  readonly isPublished: boolean;
}

export async function waitForContainer({ world, progress }: Run, { read, isPublished }: Wait): Promise<Container> {
  const sinceMs = world.now();
  for (;;) {
    const container = await read();
    const { containerId, status, statusDetail } = container;
    if (status === 'published' || (status === 'finished' && !isPublished)) return container;
    if (failed.includes(status)) {
      const detail = statusDetail === null ? '' : `: ${statusDetail}`;
      throw new CliError(`${containerId} is ${status}${detail}`, {
        exitCode: exitCodes.failure,
        hint:
          status === 'unknown'
            ? 'The platform may have accepted it. Check the account before you create another.'
            : undefined,
      });
    }
    progress.show(`${containerId} is ${status.replace('_', ' ')}, ${formatSeconds(world.now() - sinceMs)}`);
    await pause(POLL_MS, world);
  }
}

export function showContainer({ output, progress }: Run, container: Container): void {
  progress.end();
  const { children } = container;
  output.record(container, [
    ['Container', container.containerId],
    ['Status', statusCell(container)],
    ['Detail', container.statusDetail],
    ['Type', container.mediaType],
    ['Caption', container.caption],
    ...(children ?? []).map(
      ({ index, imageUrl, videoUrl, status }) =>
        [`Child ${index + 1}`, `${status}  ${imageUrl ?? videoUrl}`] satisfies Field,
    ),
    ['Media', container.mediaId],
    ['Permalink', container.permalink],
    ['Created (UTC)', timeCell(container.createdAt)],
    ['Next check', timeCell(container.nextCheckAt)],
    ['Expires', timeCell(container.expiresAt)],
    ['Published', timeCell(container.publishedAt)],
  ]);
}
