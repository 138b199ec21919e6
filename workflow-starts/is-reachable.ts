import type { ConnectionLike } from '@temporalio/client';

const PING_DEADLINE_MS = 1_000;

export async function isReachable(connection: ConnectionLike): Promise<boolean> {
  const ping = (): Promise<unknown> => connection.workflowService.getSystemInfo({});
  return await connection.withDeadline(Date.now() + PING_DEADLINE_MS, ping).then(
    () => true,
    () => false,
  );
}
