import { isGrpcServiceError, type ConnectionLike } from '@temporalio/client';
import type { Log } from '../process/log.ts';
import { StartRefused } from '../process/stop-signals.ts';

/** Update-with-start and the other calls of `workflow-starts/` are stable from this version on. */
const LEAST_VERSION = [1, 28] as const;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/**
 * Warns of a server that may lack features, or whose version can't be read, as of hosted services. The worker continues:
 * deliveries need no Temporal, and must not end because of it.
 */
export async function checkTemporalVersion({ workflowService }: Pick<ConnectionLike, 'workflowService'>, log: Log) {
  const { serverVersion } = await workflowService.getSystemInfo({});
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  if (major === undefined || minor === undefined) return log.warn('temporal.versionSkipped', { serverVersion });
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor)) return;
  log.error('temporal.versionUnsupported', { serverVersion, leastVersion: LEAST_VERSION.join('.') });
}

/** Says what to change if the server refuses the namespace. Other errors are passed on. */
export async function explainRefusal<Result>(namespace: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw refusalOf(error, namespace);
  }
}

function refusalOf(error: unknown, namespace: string): unknown {
  switch (codeOf(error)) {
    case NOT_FOUND:
      return new StartRefused(`Temporal has no namespace ${namespace}. Create it, or set TEMPORAL_NAMESPACE.`, {
        cause: error,
      });
    case PERMISSION_DENIED:
    case UNAUTHENTICATED:
      return new StartRefused(
        `Temporal refuses access to the namespace ${namespace}. Check TEMPORAL_API_KEY or the client certificate.`,
        { cause: error },
      );
    case undefined:
    default:
      return error;
  }
}

function codeOf(error: unknown): number | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return cause.code;
  }
  return undefined;
}
