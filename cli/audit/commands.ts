import type { Schema } from '../../client/create-client.ts';
import { pages, span } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import type { CellValue } from '../terminal/output.ts';

type OutboundCall = Schema<'OutboundCallList'>['outboundCalls'][number];

export const audit = route('audit', 'GET /organizations/{org}/audit-entries', {
  summary: 'List security-relevant actions in the organization',
  examples: ['--since 7d', '--action channel.moved --json'],
  flags: {
    ...pages,
    action: ['--action <name>', 'action to show'],
    actor: ['--actor <id>', 'ID of the actor: usr_…, key_… or ac_…'],
    ...span,
  },
  empty: 'No audit entries found.',
  columns: {
    'TIME (UTC)': 'at',
    ACTOR: ({ actor }) => `${actor.type} ${actor.id}`,
    ACTION: 'action',
    TARGET: 'targetId',
    WORKSPACE: 'workspaceId',
    REASON: 'reason',
    REQUEST: ({ requestId, callerRequestId }) => callerRequestId ?? requestId,
  },
});

export const outboundCalls = route('outbound-calls <channel>', 'GET /channels/{ch}/outbound-calls', {
  summary: 'List calls to the platform for a channel',
  examples: ['ch_4fT9aPq2 --since 1h', 'ch_4fT9aPq2 --request-id req-17'],
  flags: { ...pages, requestId: ['--request-id <id>', 'x-request-id of the request that caused the calls'], ...span },
  columns: {
    'STARTED (UTC)': 'startedAt',
    VIA: 'via',
    CALL: ({ operation, method, path }) => `${method} ${path}${operation === null ? '' : ` (${operation})`}`,
    RESPONSE: responseOf,
    MS: 'durationMs',
    CALLER: 'caller',
    REQUEST: ({ requestId, callerRequestId }) => callerRequestId ?? requestId,
  },
});

function responseOf({ status, error }: OutboundCall): CellValue {
  const text = [status ?? 'none', error].filter((part) => part !== null).join(' ');
  return { text, tone: status !== null && status < 400 ? 'good' : 'bad' };
}
