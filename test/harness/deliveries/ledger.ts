import type { Knex } from 'knex';
import type { DeliveryStatus, SkipReason } from '../../../contract/deliveries/status.ts';
import type { EventType } from '../../../contract/event-types.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { commitCandidate } from '../../../db/webhooks/candidates.ts';
import { stageCandidate } from '../../../db/webhooks/configs.ts';
import type { TestChannel } from '../tenants.ts';
import { testSecretBox } from '../tenants.ts';

/** Stores a webhook as if its probes had passed. Returns its destination's row id. */
export async function aWebhook(
  db: Knex,
  channel: TestChannel,
  { url = 'https://receiver.example.com/hook' }: { url?: string } = {},
): Promise<number> {
  const key = { channelId: channel.id, channelPublicId: channel.publicId };
  const candidateId = await stageCandidate(db, testSecretBox, {
    ...key,
    url,
    verifyToken: 'token',
    deadlineMs: 600_000,
  });
  await commitCandidate(db, { candidateId });
  const row = await db<{ channel_id: number; destination_id: number }>('webhook_configs')
    .where({ channel_id: channel.id })
    .first('destination_id');
  if (!row) throw new Error('The webhook was not committed');
  return row.destination_id;
}

export async function aDestination(db: Knex, channel: TestChannel): Promise<number> {
  const id = await insertDestination(db, {
    channelId: channel.id,
    type: 'subscription',
    url: 'https://extra.example.com/hook',
    eventTypes: ['chatapp.message.received'],
    label: null,
    enabled: true,
    staged: true,
  });
  await db('destinations').where({ id }).update({ deleted_at: null });
  return id;
}

export interface LedgerDelivery {
  readonly status?: DeliveryStatus;
  readonly skipReason?: SkipReason;
  readonly destinationId?: number | null;
  readonly eventType?: EventType;
  readonly body?: string | Buffer;
  readonly attemptCount?: number;
  readonly failedInSchedule?: number;
  readonly createdAt?: Date;
}

export async function aLedgerDelivery(
  db: Knex,
  channel: TestChannel,
  delivery: LedgerDelivery = {},
): Promise<{ id: number; publicId: string }> {
  const { status = 'pending', eventType = 'chatapp.message.received', createdAt = new Date() } = delivery;
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `with event as (
       insert into events (channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, created_at)
       select c.id, c.workspace_id, ?, 1, '15550001', 'mid.1', ?, ? from channels c where c.id = ? returning *
     )
     insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type,
       status, skip_reason, attempt_count, failed_in_schedule, next_attempt_at, created_at)
     select event.id, event.channel_id, workspace_id, dest.id, coalesce(dest.shard, 0), 1, event_type, ?, ?, ?, ?, ?, event.created_at
     from event left join destinations dest on dest.id = ? returning id`,
    [
      eventType,
      Buffer.from(delivery.body ?? '{"n":1}'),
      createdAt,
      channel.id,
      status,
      delivery.skipReason ?? null,
      delivery.attemptCount ?? 0,
      delivery.failedInSchedule ?? 0,
      status === 'retrying' ? new Date(Date.now() + 60_000) : null,
      delivery.destinationId ?? null,
    ],
  );
  const id = rows[0]!.id;
  return { id, publicId: sequencedId((await readInstallation(db)).idKey, 'delivery', id) };
}
