import type { Schema } from '../../client/create-client.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { type Field, type Shown, type Tone, when } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';
import { pause, seconds } from '../terminal/waiting.ts';

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
const LOOK_MS = 1_000;

export function shownStatus({ status }: Container): Shown {
  return { text: status, tone: tones[status] };
}

interface Wait {
  readonly read: () => Promise<Container>;
  /** Until it is published, not only until it can be. */
  readonly isPublished: boolean;
}

/** Looks at a container until it is as far as wanted; throws where it never will be. */
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
          status === 'unknown' ? 'The platform may have it: look at the account before you make another.' : undefined,
      });
    }
    progress.show(`${containerId} is ${status.replace('_', ' ')}, ${seconds(world.now() - sinceMs)}`);
    await pause(LOOK_MS, world);
  }
}

export function showContainer({ output, progress }: Run, container: Container): void {
  progress.end();
  const { children } = container;
  output.record(container, [
    ['Container', container.containerId],
    ['Status', shownStatus(container)],
    ['Detail', container.statusDetail],
    ['Type', container.mediaType],
    ['Caption', container.caption],
    ...(children ?? []).map(
      ({ index, imageUrl, videoUrl, status }) =>
        [`Child ${index + 1}`, `${status}  ${imageUrl ?? videoUrl}`] satisfies Field,
    ),
    ['Media', container.mediaId],
    ['Permalink', container.permalink],
    ['Created (UTC)', when(container.createdAt)],
    ['Next look', when(container.nextCheckAt)],
    ['Expires', when(container.expiresAt)],
    ['Published', when(container.publishedAt)],
  ]);
}
