import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createChannelTokenActivities } from '../../../activities/channels/channel-token-activities.ts';
import { createCredentialActivities } from '../../../activities/channels/credential-activities.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import type { PlatformCredentials } from '../../../platform/oauth/credentials.ts';
import { PlatformRejected } from '../../../platform/client/errors.ts';
import type { refreshCredential } from '../../../workflows/channels/refresh-credential.ts';
import { rotateChannelToken } from '../../../workflows/messages/messages.ts';
import type { rotateToken } from '../../../workflows/channels/rotate-token.ts';
import { aStagedRotation, aToken, tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { presentHistory, textsOf } from '../histories/history-file.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const CANARY = `canary-${randomBytes(8).toString('hex')}`;
const DAY_MS = 86_400_000;

/** The platform rejects the credential once, quoting it, and then exchanges it. */
async function stage(t: ExecutionContext) {
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const { credential_id: id } = await db('channels').where({ id: channel.id }).first();
  const { public_id: credentialId } = await db('connection_credentials').where({ id }).first();
  const token_encrypted = testSecretBox.seal(`${CANARY}-old`, sealedContexts.credentialToken(credentialId));
  await db('connection_credentials').where({ id }).update({ token_encrypted, expires_at: new Date() });
  const expiresAt = new Date(Date.now() + 60 * DAY_MS);
  const answers = [() => Promise.reject(refusal), () => Promise.resolve({ token: `${CANARY}-new`, expiresAt })];
  const platformCredentials: PlatformCredentials = {
    exchange: () => answers.shift()!(),
    inspect: () => Promise.resolve({ isValid: true, expiresAt: null }),
    close: () => Promise.resolve(),
  };
  const log = rememberingLog();
  const keys = await tokenKeys(db);
  const temporal = await temporalHarness(t, {
    ...createChannelTokenActivities({ db, log, ...keys }),
    ...createCredentialActivities({ db, log, ...keys, platformCredentials, credentialRefreshMs: 10 * DAY_MS }),
  });
  return { db, channel, credentialId, log, ...temporal };
}

test('no token enters a history or a log line', async (t) => {
  const { db, channel, credentialId, log, client, start } = await stage(t);
  const first = await aToken(db, channel);
  const rotation = await start<typeof rotateToken>('rotateToken', {
    args: [{ channelId: channel.publicId, overlapMs: 60_000 }],
  });
  const rotationId = await aStagedRotation(db, channel, { overlapSeconds: 1 });
  t.is(await rotation.executeUpdate(rotateChannelToken, { args: [{ rotationId }] }), 'rotated');
  t.deepEqual(await rotation.result(), { rotationIds: [rotationId] });
  const second = await aToken(db, channel);
  t.not(second, first);
  const refresh = await start<typeof refreshCredential>('refreshCredential', {
    args: [{ credentialId, waitsMs: [1] }],
  });
  t.deepEqual(await refresh.result(), { status: 'refreshed' });

  const isSecret = (text: string) => [CANARY, 'hmat_', first, second].some((secret) => text.includes(secret));
  for (const [{ workflowId }, known] of [
    [rotation, channel.publicId],
    [refresh, credentialId],
  ] as const) {
    const texts = textsOf(presentHistory(await client.workflow.getHandle(workflowId).fetchHistory()));
    t.true(
      texts.some((text) => text.includes(known)),
      'payloads are decoded',
    );
    t.deepEqual(texts.filter(isSecret), []);
  }
  t.deepEqual(log.lines.map((line) => JSON.stringify(line)).filter(isSecret), []);
});

const refusal = new PlatformRejected({
  status: 400,
  code: 190,
  subcode: null,
  isTransient: false,
  text: `Malformed access token ${CANARY}-old`,
});
