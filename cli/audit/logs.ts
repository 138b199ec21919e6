import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { leaf, span } from '../commands/arguments.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Shown, when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

export function addLogs(program: Command, act: Act): void {
  withPages(
    leaf(program, 'audit', {
      summary: "Lists what was done that matters to the organization's security",
      examples: ['channels audit --since 7d', 'channels audit --action channel.moved --json'],
    }),
  )
    .option('--action <name>', 'only this')
    .option('--actor <id>', 'only by this one: usr_…, key_…, ac_…')
    .option('--since <time>', '2h, 7d ago, or an instant')
    .option('--until <time>')
    .action(act(audit));
  withPages(
    leaf(program, 'outbound-calls <channel>', {
      summary: 'Lists the calls that left for the platform on behalf of the channel',
      examples: [
        'channels outbound-calls ch_4fT9aPq2 --since 1h',
        'channels outbound-calls ch_4fT9aPq2 --request-id req-17',
      ],
    }),
  )
    .option('--request-id <id>', 'only those that this request led to')
    .option('--since <time>', '2h, 7d ago, or an instant')
    .option('--until <time>')
    .action(act(outboundCalls));
}

interface Span extends PageOptions {
  readonly since?: string;
  readonly until?: string;
}

async function audit(run: Run, options: Span & { readonly action?: string; readonly actor?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const { action, actor } = options;
  const filters = given({ action, actor, ...span(options, run.world) });
  await showList(run, options, {
    name: 'entries',
    empty: 'There is nothing.',
    columns: [
      { title: 'AT (UTC)', of: ({ at }: Schema<'AuditEntry'>) => when(at) },
      { title: 'WHO', of: ({ actor: one }) => `${one.type} ${one.id}` },
      { title: 'ACTION', of: (entry) => entry.action },
      { title: 'TARGET', of: ({ targetId }) => targetId },
      { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId },
      { title: 'REASON', of: ({ reason }) => reason },
    ],
    read: (query) =>
      client.get('/organizations/{org}/audit-entries', { params: { path: { org }, query: { ...filters, ...query } } }),
  });
}

async function outboundCalls(run: Run, ch: string, options: Span & { readonly requestId?: string }): Promise<void> {
  const client = await run.client();
  const filters = given({ requestId: options.requestId, ...span(options, run.world) });
  await showList(run, options, {
    name: 'outboundCalls',
    empty: 'There are no calls.',
    columns: [
      {
        title: 'STARTED (UTC)',
        of: ({ startedAt }: Schema<'OutboundCallList'>['outboundCalls'][number]) => when(startedAt),
      },
      { title: 'VIA', of: ({ via }) => via },
      {
        title: 'CALL',
        of: ({ operation, method, path }) => `${method} ${path}${operation === null ? '' : ` (${operation})`}`,
      },
      { title: 'ANSWER', of: answerOf },
      { title: 'MS', of: ({ durationMs }) => durationMs },
      { title: 'BY', of: ({ caller }) => caller },
      { title: 'REQUEST', of: ({ requestId }) => requestId },
    ],
    read: (query) =>
      client.get('/channels/{ch}/outbound-calls', { params: { path: { ch }, query: { ...filters, ...query } } }),
  });
}

function answerOf({ status, error }: Schema<'OutboundCallList'>['outboundCalls'][number]): Shown {
  const text = [status ?? 'none', error].filter((part) => part !== null).join(' ');
  return { text, tone: status !== null && status < 400 ? 'good' : 'bad' };
}
