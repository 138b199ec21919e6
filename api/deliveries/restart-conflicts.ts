import type { RestartObstacle } from '../../db/ledger/restart-delivery.ts';
import { Conflict } from '../requests/errors.ts';
import { disconnected } from '../requests/uncallable.ts';

const ended = (why: string): Conflict => new Conflict('DELIVERY_ENDED', `The delivery can't be sent: ${why}.`);

export const restartConflicts: Readonly<Record<RestartObstacle, () => Conflict>> = {
  channel_disconnected: disconnected,
  forwarding_disabled: () =>
    new Conflict('CHANNEL_FORWARDING_DISABLED', "The channel's forwarding is off. Enable it first."),
  event_erased: () => new Conflict('EVENT_ERASED', 'The event was erased, so it cannot be sent again.'),
  no_destination: () => ended('the channel has no webhook'),
  destination_deleted: () => ended('its destination was deleted'),
  destination_disabled: () => ended('its destination is disabled'),
  listener_moved: () => ended('its listener moved to another workspace with the channel, and is read there'),
};
