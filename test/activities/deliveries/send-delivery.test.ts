import test from 'ava';
import {
  createSendDelivery,
  type DeliveryToSend,
  InstallationFault,
  NotSent,
} from '../../../activities/deliveries/send-delivery.ts';
import { idKeyFrom } from '../../../contract/ids.ts';
import type { Egress, EgressRequest } from '../../../egress/client.ts';
import { createPermit } from '../../../egress/permit.ts';
import { testBodyBox } from '../../harness/tenants.ts';

const delivery: DeliveryToSend = {
  id: 1,
  eventId: 1,
  eventType: 'chatapp.message.received',
  channelId: 'ch_00000000',
  url: 'https://a.example.com/hook',
  sealedSecrets: [],
  body: Buffer.from('{}'),
  traceParent: null,
  sendsTraceParent: true,
  destinationId: 7,
  workspaceId: 'wks_00000000',
};

const unused = (): never => {
  throw new Error('unexpected call');
};

/** Refuses every request. */
function refusing() {
  const requests: EgressRequest[] = [];
  const egress: Egress = {
    send(request) {
      requests.push(request);
      return Promise.resolve({ outcome: 'not_sent', reason: 'waited_too_long' });
    },
    judge: unused,
    stats: unused,
    close: unused,
  };
  const send = createSendDelivery({
    egress,
    openSecret: unused,
    openCredentials: unused,
    bodyBox: testBodyBox,
    idKey: idKeyFrom(new Uint8Array(48)),
  });
  return { requests, send };
}

test('a delivery without a connection is an internal error', async (t) => {
  const { send } = refusing();
  const error = await t.throwsAsync(() => send(delivery, 1), { instanceOf: NotSent, name: 'OwnFault' });
  t.true(error instanceof InstallationFault);
  t.is(error.message, 'Not sent: not_sent (waited_too_long)');
});

test('deliveries to a destination share connections', async (t) => {
  const { requests, send } = refusing();
  await t.throwsAsync(() => send(delivery, 1));
  await t.throwsAsync(() => send({ ...delivery, connectionGroup: 'test:7' }, 1));
  t.deepEqual(
    requests.map(({ group, workspaceId }) => ({ group, workspaceId })),
    [
      { group: 7, workspaceId: 'wks_00000000' },
      { group: 'test:7', workspaceId: 'wks_00000000' },
    ],
  );
});

test('only a sender with a permit waits without a limit', async (t) => {
  const { requests, send } = refusing();
  const permit = createPermit(() => true);
  await t.throwsAsync(() => send(delivery, 1));
  await t.throwsAsync(() => send(delivery, 1, permit));
  t.is(requests[0]?.maxWaitMs, 0);
  t.is(requests[0]?.permit, undefined);
  t.is(requests[1]?.maxWaitMs, undefined);
  t.is(requests[1]?.permit, permit);
});
