import type { Knex } from 'knex';
import type { EventType } from '../../../contract/event-types.ts';
import { createListener, findListener, type Listener } from '../../../db/listeners/listeners.ts';
import type { TestChannel } from '../tenants.ts';

export interface ListenerOptions {
  readonly label?: string;
  readonly eventTypes?: readonly EventType[];
}

export async function aListener(
  db: Knex,
  channel: TestChannel,
  { label, eventTypes }: ListenerOptions = {},
): Promise<Listener> {
  const made = await createListener(db, {
    channelId: channel.id,
    label: label ?? null,
    eventTypes: eventTypes ?? null,
    max: 20,
    key: null,
    audit: { organizationId: null, actor: { type: 'system', id: 'test' } },
  });
  if (made.outcome !== 'created') throw new Error(`The listener was not made: ${made.outcome}`);
  const listener = await findListener(db, { channelId: channel.id, publicId: made.publicId });
  if (!listener) throw new Error('The listener is gone');
  return listener;
}
