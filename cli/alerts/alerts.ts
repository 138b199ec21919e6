import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { alertKindNames, alertSeverities, type AlertSeverity, alertStatuses } from '../../contract/alerts/kinds.ts';
import { addCommand, addGroup, choiceOption } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { addAlertPreferences } from './alert-preferences.ts';
import { addAlertWebhook } from './alert-webhook.ts';
import { usageError } from '../terminal/failures.ts';
import { type CellValue, formatTime, timeCell, type Tone } from '../terminal/output.ts';

type Alert = Schema<'Alert'>;

const tones: Readonly<Record<AlertSeverity, Tone>> = { warning: 'busy', critical: 'bad' };

export function addAlerts(program: Command, act: Act): void {
  const alerts = addGroup(program, 'alerts', 'See what needs attention');
  withPages(
    addCommand(alerts, 'list', {
      summary: 'List alerts of the organization, newest first',
      examples: ['channels alerts list --status open', 'channels alerts list --severity critical --json'],
    }),
  )
    .addOption(choiceOption('--status <status>', 'status', alertStatuses))
    .addOption(choiceOption('--severity <severity>', 'severity', alertSeverities))
    .addOption(choiceOption('--kind <kind>', 'kind', alertKindNames))
    .option('--of-workspace <workspace>', 'only alerts of this workspace')
    .option('--channel <channel>', 'only alerts of this channel')
    .action(act(list));
  addCommand(alerts, 'get <alert>', {
    summary: 'Show an alert',
    examples: ['channels alerts get alr_4fT9aPq2'],
  }).action(act(async (run, alr: string) => show(run, await (await run.client()).get('/alerts/{alr}', at(alr)))));
  addCommand(alerts, 'acknowledge <alert>', {
    summary: 'Acknowledge an alert; resolves it if its cause is in the past',
    examples: ['channels alerts acknowledge alr_4fT9aPq2'],
  }).action(
    act(async (run, alr: string) => done(run, await (await run.client()).post('/alerts/{alr}/acknowledge', at(alr)))),
  );
  addCommand(alerts, 'mute <alert>', {
    summary: 'Leave an alert out of emails for some time',
    examples: ['channels alerts mute alr_4fT9aPq2 --for 12h'],
  })
    .requiredOption('--for <time>', 'how long: 30m, 12h or 7d')
    .action(act(mute));
  addCommand(alerts, 'unmute <alert>', {
    summary: 'Unmute an alert',
    examples: ['channels alerts unmute alr_4fT9aPq2'],
  }).action(
    act(async (run, alr: string) => done(run, await (await run.client()).post('/alerts/{alr}/unmute', at(alr)))),
  );
  addAlertPreferences(alerts, act);
  addAlertWebhook(alerts, act);
}

const at = (alr: string) => ({ params: { path: { alr } } });

interface ListOptions extends PageOptions {
  readonly status?: Alert['status'];
  readonly severity?: Alert['severity'];
  readonly kind?: Alert['kind'];
  readonly ofWorkspace?: string;
  readonly channel?: string;
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const { status, severity, kind, ofWorkspace: workspaceId, channel: channelId } = options;
  const filters = omitUndefined({ status, severity, kind, workspaceId, channelId });
  await showList(run, options, {
    name: 'alerts',
    empty: 'No alerts found.',
    columns: [
      { title: 'OPENED (UTC)', of: ({ openedAt }: Alert) => timeCell(openedAt) },
      { title: 'ALERT', of: ({ alertId }) => alertId },
      { title: 'SEVERITY', of: severityCell },
      { title: 'STATUS', of: statusText },
      { title: 'KIND', of: (alert) => alert.kind },
      { title: 'SUBJECT', of: ({ subject }) => subject.label },
      { title: 'TIMES', of: ({ occurrences }) => occurrences },
    ],
    read: (query) =>
      client.get('/organizations/{org}/alerts', { params: { path: { org }, query: { ...filters, ...query } } }),
  });
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

async function mute(run: Run, alr: string, options: { readonly for: string }): Promise<void> {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(options.for) ?? [];
  if (count === undefined || unit === undefined)
    throw usageError(`Invalid time '${options.for}'.`, 'Use 30m, 12h or 7d.');
  const until = new Date(run.world.now() + Number(count) * (unitsMs[unit] ?? 0)).toISOString();
  done(run, await (await run.client()).post('/alerts/{alr}/mute', { ...at(alr), body: { until } }));
}

function done({ output }: Run, alert: Alert): void {
  output.done(alert, `${alert.alertId} is ${statusText(alert)}.`);
}

function show({ output }: Run, alert: Alert): void {
  output.record(alert, [
    ['Alert', alert.alertId],
    ['Title', alert.title],
    ['Description', alert.description],
    ['Severity', severityCell(alert)],
    ['Status', statusText(alert)],
    ['Kind', alert.kind],
    ['Subject', [alert.subject.type, alert.subject.id].filter((part) => part !== null).join(' ')],
    ['Workspace', alert.workspaceId ?? 'whole organization'],
    ['Channel', alert.channelId],
    ['Occurrences', alert.occurrences],
    ['Opened (UTC)', timeCell(alert.openedAt)],
    ['Last seen (UTC)', timeCell(alert.lastSeenAt)],
    ['Resolved (UTC)', timeCell(alert.resolvedAt)],
    ['Acknowledged by', alert.acknowledgedBy],
  ]);
}

const severityCell = ({ severity }: Alert): CellValue => ({ text: severity, tone: tones[severity] });

function statusText({ status, acknowledgedAt, mutedUntil }: Alert): string {
  if (status === 'resolved') return 'resolved';
  const notes = [
    acknowledgedAt !== null && 'acknowledged',
    mutedUntil !== null && `muted until ${formatTime(mutedUntil)}`,
  ];
  return ['open', ...notes.filter((note) => note !== false)].join(', ');
}
