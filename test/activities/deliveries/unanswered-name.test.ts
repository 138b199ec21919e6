import test from 'ava';
import {
  createSendDelivery,
  type DeliveryToSend,
  InstallationFault,
} from '../../../activities/deliveries/send-delivery.ts';
import { idKeyFrom } from '../../../contract/ids.ts';
import type { Attempt } from '../../../db/ledger/attempts.ts';
import { createEgress } from '../../../egress/client.ts';
import { eventually } from '../../harness/eventually.ts';
import { testBodyBox } from '../../harness/tenants.ts';

const delivery: DeliveryToSend = {
  id: 1,
  eventId: 1,
  eventType: 'chatapp.message.received',
  channelId: 'ch_00000000',
  url: 'https://broken.example.com/hook',
  sealedSecrets: [],
  body: Buffer.from('{}'),
  traceParent: null,
  sendsTraceParent: true,
  destinationId: 1,
  workspaceId: 'wks_00000000',
};

const unused = (): never => {
  throw new Error('unexpected call');
};

for (const [what, isDown] of [
  ['a name that keeps failing while the reference resolves costs an attempt', false],
  ['a resolver that fails for every name costs no attempt', true],
] as const) {
  test(what, async (t) => {
    const egress = createEgress({
      allowCidrs: [],
      allowHttp: false,
      blameNameAfterMs: 400,
      dnsCacheMs: 0,
      dnsFailureCacheMs: 0,
      referenceUrl: 'https://platform.example.com',
      lookup: async (name) => {
        if (isDown || name.startsWith('broken')) throw Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' });
        return [{ address: '192.0.43.8', family: 4 }];
      },
    });
    t.teardown(() => egress.close());
    const idKey = idKeyFrom(new Uint8Array(48));
    const send = createSendDelivery({
      egress,
      idKey,
      openSecret: unused,
      openCredentials: unused,
      bodyBox: testBodyBox,
    });
    let faults = 0;
    const attempted = async (): Promise<Attempt | undefined> => {
      try {
        return await send(delivery, 1);
      } catch (error) {
        if (!(error instanceof InstallationFault)) throw error;
        faults++;
        return undefined;
      }
    };
    let attempt: Attempt | undefined;
    const untilMs = performance.now() + 1_500;
    await eventually(async () => {
      attempt = await attempted();
      return attempt !== undefined || (isDown && faults > 1 && performance.now() > untilMs);
    });
    t.true(faults > 1, 'the first failures count as internal');
    if (isDown) t.is(attempt, undefined);
    else t.like(attempt, { outcome: 'no_response', error: 'dns_name_failed', status: null, number: 1 });
  });
}
