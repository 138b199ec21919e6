import { randomBytes } from 'node:crypto';
import { isAllowed } from '../../../contract/addresses/classify-address.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { call } from '../cases/http-call.ts';
import { hostileAnswers, startHostileReceiver } from './hostile-receiver.ts';
import { objectIn } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';

export const receivers: AttackClass = {
  name: 'receivers',
  concurrency: 4,
  missing: ({ allowedCidrs, own, mailInboxUrl }) => {
    if (!isAllowed('127.0.0.1', allowedCidrs)) return 'the service may not call this machine';
    return mailInboxUrl === undefined || own.channelId === '' ? 'there is no worker that probes' : undefined;
  },
  cases: (world) =>
    hostileAnswers.flatMap((how) => [probed(world, how, 'the webhook'), probed(world, how, 'a subscription')]),
};

/** A save waits for the worker and for its probes of 10 s each. */
const PROBE_DEADLINE_MS = 90_000;
/** The service keeps a few KB of a response; buffers on the way count too. */
const MAX_POURED_BYTES = 64 * 1024 * 1024;

function probed(
  { baseUrl, apiKey, own }: World,
  how: (typeof hostileAnswers)[number],
  what: 'the webhook' | 'a subscription',
): AttackCase {
  return {
    name: `a receiver with ${how} as ${what}`,
    expectation: 'the save is refused with its reason, nothing is followed, and little is read',
    deadlineMs: PROBE_DEADLINE_MS,
    attempt: async () => {
      const receiver = await startHostileReceiver(how);
      try {
        const url = `${receiver.url}/${randomBytes(6).toString('hex')}`;
        const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': own.workspaceId };
        const [route, body] =
          what === 'the webhook'
            ? [`PUT /webhook-config/${own.channelId}`, { webhookUrl: url, verifyToken: 'attack-token' }]
            : [`POST /channels/${own.channelId}/subscriptions`, { url, events: ['chatapp.message.received'] }];
        const answer = await call(baseUrl, route, { headers, body });
        if (receiver.trapped() > 0) return 'The service followed a redirect.';
        if (receiver.pouredBytes() > MAX_POURED_BYTES) return `The service read ${receiver.pouredBytes()} bytes.`;
        // A subscription is saved without probes. A webhook must pass them, which no hostile receiver does.
        if (answer.status < 300)
          return what === 'a subscription' ? undefined : `The webhook was saved in spite of ${how}: ${answer.text}`;
        const code = objectIn(answer.text)?.['code'];
        return answer.status < 500 && typeof code === 'string'
          ? undefined
          : `It answers ${answer.status}: ${answer.text}`;
      } finally {
        await receiver.stop();
      }
    },
  };
}
