import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { refreshWorkflowStart } from '../contract/channels/credential-refresh.ts';
import { claimDueCredentials } from '../db/channels/credential-refresh.ts';
import { keywordAttributes } from '../workflow-starts/keyword-attributes.ts';
import type { Log } from '../process/log.ts';
import type { refreshCredential } from '../workflows/channels/refresh-credential.ts';

const CALL_TIMEOUT_MS = 5_000;
const MAX_CLAIMS = 50;

export interface RefreshStartDeps {
  readonly client: Client;
  readonly db: Knex;
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

export function createRefreshStarts({ client, db, credentialRefreshMs, log }: RefreshStartDeps): () => Promise<void> {
  return async () => {
    const due = await claimDueCredentials(db, { withinMs: credentialRefreshMs, limit: MAX_CLAIMS });
    for (const { publicId: credentialId, workspacePublicId: workspaceId } of due) {
      const { workflowType, keywords, ...start } = refreshWorkflowStart({ credentialId, workspaceId });
      await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
        client.workflow.start<typeof refreshCredential>(workflowType, {
          ...start,
          typedSearchAttributes: keywordAttributes(keywords),
        }),
      );
      log.info('credentialRefresh.started', { credentialId });
    }
  };
}
