import type { Schema } from '../../client/create-client.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import type { Run } from '../commands/run.ts';
import { formatSeconds, readUntilEnd } from '../terminal/pause.ts';

type Container = Schema<'MediaContainer'>;

const failed: readonly ContainerStatus[] = ['error', 'expired', 'unknown'];

async function readContainer(run: Run, path: { readonly ch: string; readonly ctr: string }): Promise<Container> {
  return await (await run.client()).get('/channels/{ch}/photoapp/containers/{ctr}', { params: { path } });
}

interface Wait {
  readonly ch: string;
  readonly ctr: string;
  /** If false, waits only until the container can be published. */
  readonly isPublished: boolean;
}

export async function waitForContainer(run: Run, { ch, ctr, isPublished }: Wait): Promise<Container> {
  const sinceMs = run.world.now();
  return await readUntilEnd(
    run,
    () => readContainer(run, { ch, ctr }),
    ({ status, statusDetail }) => {
      if (status === 'published' || (status === 'finished' && !isPublished)) return undefined;
      if (failed.includes(status)) {
        const hint =
          status === 'unknown'
            ? 'The platform may have accepted it. Check the account before you create another.'
            : undefined;
        const detail = statusDetail === null ? '' : `: ${statusDetail}`;
        throw new CliError(`${ctr} is ${status}${detail}`, { exitCode: exitCodes.failure, hint });
      }
      return [`${ctr} is ${status.replace('_', ' ')}, ${formatSeconds(run.world.now() - sinceMs)}`];
    },
  );
}
