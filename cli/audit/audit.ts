import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, parseTimeRange } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type CellValue, timeCell } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

export function addAudit(program: Command, act: Act): void {
  withPages(
    addCommand(program, 'audit', {
      summary: 'List security-relevant actions in the organization',
      examples: ['channels audit --since 7d', 'channels audit --action channel.moved --json'],
    }),
  )
    .option('--action <name>', 'action to show')
    .option('--actor <id>', 'ID of the actor: usr_…, key_… or ac_…')
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(audit));
  withPages(
    addCommand(program, 'outbound-calls <channel>', {
      summary: 'List calls to the platform for a channel',
      examples: [
        'channels outbound-calls ch_4fT9aPq2 --since 1h',
        'channels outbound-calls ch_4fT9aPq2 --request-id req-17',
      ],
    }),
  )
    .option('--request-id <id>', 'x-request-id of the request that caused the calls')
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time (default: now)')
    .action(act(outboundCalls));
}

interface Span extends PageOptions {
  readonly since?: string;
  readonly until?: string;
}

async function audit(run: Run, options: Span & { readonly action?: string; readonly actor?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const { action, actor } = options;
  const filters = omitUndefined({ action, actor, ...parseTimeRange(options, run.world) });
  await showList(run, options, {
    name: 'entries',
    empty: 'No audit entries found.',
    columns: [
      { title: 'TIME (UTC)', of: ({ at }: Schema<'AuditEntry'>) => timeCell(at) },
      { title: 'ACTOR', of: ({ actor: one }) => `${one.type} ${one.id}` },
      { title: 'ACTION', of: (entry) => entry.action },
      { title: 'TARGET', of: ({ targetId }) => targetId },
      { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId },
      { title: 'REASON', of: ({ reason }) => reason },
      { title: 'REQUEST', of: ({ requestId, callerRequestId }) => callerRequestId ?? requestId },
    ],
    read: (query) =>
      client.get('/organizations/{org}/audit-entries', { params: { path: { org }, query: { ...filters, ...query } } }),
  });
}

async function outboundCalls(run: Run, ch: string, options: Span & { readonly requestId?: string }): Promise<void> {
  const client = await run.client();
  const filters = omitUndefined({ requestId: options.requestId, ...parseTimeRange(options, run.world) });
  await showList(run, options, {
    name: 'outboundCalls',
    empty: 'No outbound calls found.',
    columns: [
      {
        title: 'STARTED (UTC)',
        of: ({ startedAt }: Schema<'OutboundCallList'>['outboundCalls'][number]) => timeCell(startedAt),
      },
      { title: 'VIA', of: ({ via }) => via },
      {
        title: 'CALL',
        of: ({ operation, method, path }) => `${method} ${path}${operation === null ? '' : ` (${operation})`}`,
      },
      { title: 'RESPONSE', of: responseOf },
      { title: 'MS', of: ({ durationMs }) => durationMs },
      { title: 'CALLER', of: ({ caller }) => caller },
      { title: 'REQUEST', of: ({ requestId, callerRequestId }) => callerRequestId ?? requestId },
    ],
    read: (query) =>
      client.get('/channels/{ch}/outbound-calls', { params: { path: { ch }, query: { ...filters, ...query } } }),
  });
}

function responseOf({ status, error }: Schema<'OutboundCallList'>['outboundCalls'][number]): CellValue {
  const text = [status ?? 'none', error].filter((part) => part !== null).join(' ');
  return { text, tone: status !== null && status < 400 ? 'good' : 'bad' };
}
