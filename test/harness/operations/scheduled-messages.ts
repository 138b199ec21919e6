import type { Knex } from 'knex';
import type { ScheduledMessageStatus } from '../../../contract/operations/scheduled-message.ts';
import {
  insertScheduledMessage,
  loadScheduledMessage,
  type NewScheduledMessage,
  type ScheduledMessageRecord,
} from '../../../db/operations/scheduled-messages.ts';
import { testAudit } from '../audit.ts';
import { type TestChannel, testSecretBox } from '../tenants.ts';

export interface SampleMessage {
  readonly channel: TestChannel;
  readonly workspace: { readonly id: number };
  readonly status?: ScheduledMessageStatus;
  readonly values?: Partial<NewScheduledMessage>;
}

const ended: readonly ScheduledMessageStatus[] = ['sent', 'failed', 'unknown', 'cancelled'];

/** Is due at once by default. */
export async function aScheduledMessage(
  db: Knex,
  { channel, workspace, status = 'scheduled', values = {} }: SampleMessage,
): Promise<ScheduledMessageRecord> {
  const inserted = await insertScheduledMessage(db, testSecretBox, {
    channelId: channel.id,
    workspaceId: workspace.id,
    createdBy: 'key_00000001',
    sendAt: new Date(Date.now() - 1_000),
    message: { to: '15551230001', text: 'Hello' },
    requestHash: Buffer.alloc(32, 'a'),
    keyHash: null,
    audit: testAudit,
    ...values,
  });
  if (!('publicId' in inserted)) throw new Error(inserted.outcome);
  const end = ended.includes(status) ? { ended_at: new Date(), message_encrypted: null } : {};
  await db('scheduled_messages')
    .where({ public_id: inserted.publicId })
    .update({ status, ...end });
  return await readMessage(db, inserted);
}

export async function readMessage(
  db: Knex,
  { publicId }: Pick<ScheduledMessageRecord, 'publicId'>,
): Promise<ScheduledMessageRecord> {
  const message = await loadScheduledMessage(db, publicId);
  if (!message) throw new Error(`No message ${publicId}`);
  return message;
}
