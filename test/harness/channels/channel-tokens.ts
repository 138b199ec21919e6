import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { ensureChannelToken, type TokenChannel } from '../../../db/channels/tokens.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { createOpenToken } from '../../../db/channels/open-token.ts';
import type { SecretBox } from '../../../db/core/secret-box.ts';
import { makeRotation, type NewRotation, stageRotation } from '../../../db/channels/token-rotations.ts';
import { testAudit } from '../audit.ts';
import { type TestChannel, testSecretBox } from '../tenants.ts';

export async function tokenKeys(db: Knex) {
  const { tokenSalt } = await readInstallation(db);
  return { secretBox: testSecretBox, tokenSalt };
}

export async function aToken(db: Knex, { id, publicId }: TestChannel): Promise<string> {
  const channel = { channelId: id, channelPublicId: publicId, holder: null, audit: testAudit };
  const current = await ensureChannelToken(db, await tokenKeys(db), channel);
  if (!current) throw new Error(`${publicId} is disconnected`);
  return current.token;
}

export async function opened(
  db: Knex,
  token: string,
  secretBox: SecretBox = testSecretBox,
): Promise<TokenChannel | undefined> {
  const { tokenSalt } = await readInstallation(db);
  const connection = await db.client.acquireConnection();
  try {
    const found = await createOpenToken({ pool: connection, secretBox, tokenSalt })(token);
    return found === 'disconnected' ? undefined : found?.channel;
  } finally {
    await db.client.releaseConnection(connection);
  }
}

export async function aStagedRotation(
  db: Knex,
  channel: TestChannel,
  others: Partial<NewRotation> = {},
): Promise<number> {
  const rotation = await stageRotation(db, {
    channelId: channel.id,
    holderKeyId: null,
    overlapSeconds: 3600,
    idempotencyKeyHash: null,
    deadlineMs: 600_000,
    requestedBy: testAudit,
    ...others,
  });
  return rotation.id;
}

/** Rotates immediately, without a workflow. */
export const rotating = (db: Knex): Pick<WorkflowStarts, 'rotateToken'> => ({
  rotateToken: async ({ rotationId }) => {
    const standing = await makeRotation(db, await tokenKeys(db), { rotationId });
    return { state: 'ended', result: standing?.result ?? 'given_up' };
  },
});
