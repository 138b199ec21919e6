import type { Knex } from 'knex';
import { claimDueCredentials } from '../../db/channels/credential-refresh.ts';
import type { Log } from '../../process/log.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';

const MAX_CLAIMS = 50;

export interface RefreshStartDeps {
  readonly db: Knex;
  readonly refreshCredential: WorkerStarts['refreshCredential'];
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

export function createRefreshStarts(deps: RefreshStartDeps): () => Promise<void> {
  const { db, refreshCredential, credentialRefreshMs, log } = deps;
  return async () => {
    const due = await claimDueCredentials(db, { withinMs: credentialRefreshMs, limit: MAX_CLAIMS });
    for (const { publicId: credentialId, workspacePublicId: workspaceId } of due) {
      await refreshCredential({ credentialId, workspaceId });
      log.info('credentialRefresh.started', { credentialId });
    }
  };
}
