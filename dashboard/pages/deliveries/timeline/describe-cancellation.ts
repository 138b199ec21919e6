import type { Schema } from '../../../../client/create-client.ts';

type Cancellation = Schema<'DeliveryCancellation'>;

const reasons: Readonly<Record<Cancellation['reason'], string>> = {
  requested: 'Cancelled',
  channel_disconnected: 'Cancelled when its channel was disconnected',
  channel_moved: 'Cancelled when its channel moved to another workspace',
  destination_deleted: 'Cancelled when its destination was removed',
  url_changed: 'Cancelled by a change of the URL that asked for it',
  event_erased: 'Cancelled when the data of its event was erased',
};

/** Returns a sentence without its full stop. */
export function describeCancellation(cancellation: Cancellation | null): string {
  if (!cancellation) return 'Cancelled, before reasons were recorded';
  const { reason, by } = cancellation;
  return by === null ? reasons[reason] : `${reasons[reason]} by ${nameOf(by)}`;
}

function nameOf({ type, id, name }: NonNullable<Cancellation['by']>): string {
  switch (type) {
    case 'user':
      return name ?? `a person (${id})`;
    case 'api_key':
      return `the API key ${name ?? id}`;
    case 'agent':
      return `the agent ${name ?? id}`;
    case 'portal':
      return name === null ? 'a customer in the portal' : `a customer in the portal (${name})`;
    case 'staff':
      return 'support staff';
    case 'system':
      return 'the service';
  }
}
