import type { Schema } from '../../client/create-client.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { group } from '../commands/definition.ts';
import { idempotencyKey, pages, someOf, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { listText, type View } from '../terminal/output.ts';

type Listener = Schema<'Listener'>;

const record: View<Listener> = {
  Listener: 'listenerId',
  Channel: 'channelId',
  Label: 'label',
  Events: ({ eventTypes: types }) => listText(types),
  'Last read': 'lastReadAt',
  Expires: 'expiresAt',
  Created: 'createdAt',
};

export const listeners = group('listeners', 'Manage listeners for `channels listen`', [
  route('list <channel>', 'GET /channels/{ch}/listeners', {
    summary: 'List listeners',
    flags: pages,
    columns: {
      LISTENER: 'listenerId',
      LABEL: 'label',
      'LAST READ (UTC)': 'lastReadAt',
      'EXPIRES (UTC)': 'expiresAt',
      EVENTS: ({ eventTypes: types }) => listText(types),
    },
  }),
  route('create <channel>', 'POST /channels/{ch}/listeners', {
    summary: 'Create a listener; `channels listen` creates one automatically',
    examples: 'ch_4fT9aPq2 --label laptop --events chatapp.message.received',
    flags: {
      label: ['--label <text>', 'label of the listener'],
      eventTypes: ['--events <list>', 'event types to receive; default: all', someOf(eventTypes)],
      ...idempotencyKey,
    },
    record,
  }),
  route('show <channel> <listener>', 'GET /channels/{ch}/listeners/{lst}', { summary: 'Show a listener', record }),
  route('delete <channel> <listener>', 'DELETE /channels/{ch}/listeners/{lst}', {
    summary: 'Delete a listener; its waiting deliveries are cancelled',
    flags: yes,
    confirm: ([, lst]) => `Delete ${lst} and its waiting deliveries?`,
    done: (_, [, lst]) => [{ listenerId: lst, deleted: true }, `Deleted ${lst}.`],
  }),
]);
