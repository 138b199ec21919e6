import type { Schema } from '../../client/create-client.ts';
import { alertKindNames, alertSeverities, alertStatuses } from '../../contract/alerts/kinds.ts';
import { parseDuration, readJsonInput } from '../commands/arguments.ts';
import { group } from '../commands/definition.ts';
import { local, localText, oneOf, pages, required, someOf, wholeNumber, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { usageError } from '../terminal/failures.ts';
import { type Field, fieldsOf, formatTime, listText, timeCell, toned, type View } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';

type Alert = Schema<'Alert'>;
type Webhook = Schema<'AlertWebhook'> & { readonly secret?: string | null };

const severity = toned('severity', { warning: 'busy', critical: 'bad' });

const leastSeverity = ({ minSeverity }: { readonly minSeverity: string }) =>
  minSeverity === 'critical' ? 'critical' : 'all';

const done = (alert: Alert) => `${alert.alertId} is ${statusText(alert)}.`;

function statusText({ status, acknowledgedAt, mutedUntil }: Alert): string {
  if (status === 'resolved') return 'resolved';
  const notes = [
    acknowledgedAt !== null && 'acknowledged',
    mutedUntil !== null && `muted until ${formatTime(mutedUntil)}`,
  ];
  return ['open', ...notes.filter((note) => note !== false)].join(', ');
}

function muteUntil(time: string, { world }: Run): string {
  const durationMs = /^\d{1,4}[mhd]$/.test(time) ? parseDuration(time) : undefined;
  if (durationMs === undefined) throw usageError(`Invalid time '${time}'.`, 'Use 30m, 12h or 7d.');
  return new Date(world.now() + durationMs).toISOString();
}

const preferences = group('preferences', 'Choose the alerts that you get by email', [
  route('show', 'GET /organizations/{org}/alert-preferences', {
    summary: 'Show your rules; requires a session (`channels login --session`)',
    examples: ['', '--json > rules.json'],
    show: showRules,
  }),
  route('set <file>', 'PUT /organizations/{org}/alert-preferences', {
    summary: 'Replace your rules with those of a JSON file, or - for standard input; requires a session',
    examples: 'rules.json',
    // The API checks it.
    input: async (_, [file], { world }) => (await readJsonInput(world, file)) as Schema<'AlertPreferences'>,
    show: showRules,
  }),
]);

function showRules({ output }: Run, answer: Schema<'AlertPreferences'>): void {
  if (output.isJson) return output.json(answer);
  if (answer.rules.length === 0) return output.note('You get no emails about alerts.');
  output.table(answer.rules, {
    WORKSPACE: ({ workspaceId }) => workspaceId ?? 'all',
    SEVERITY: leastSeverity,
    KINDS: ({ kinds }) => listText(kinds),
  });
}

const webhook = group('webhook', 'Send alerts of the organization to a URL', [
  route('show', 'GET /organizations/{org}/alert-webhook', {
    summary: 'Show the alert webhook and its last delivery',
    show: showWebhook,
  }),
  route('set <url>', 'PUT /organizations/{org}/alert-webhook', {
    summary: 'Set the alert webhook; its first secret is printed once',
    examples: 'https://ops.example.com/alerts',
    flags: {
      minSeverity: ['--min-severity <severity>', 'least severity that is sent', oneOf(alertSeverities)],
      kinds: ['--kinds <kinds>', 'only these kinds (default: all)', someOf(alertKindNames)],
      disabled: ['--disabled', 'send nothing for now'],
    },
    input: ({ minSeverity = 'warning', kinds = null, disabled = false }, [url]) => ({
      url,
      minSeverity,
      kinds,
      enabled: !disabled,
    }),
    show(run, saved) {
      if (saved.secret !== null) run.output.note('Store the secret now. It is not shown again.');
      showWebhook(run, saved);
    },
  }),
  route('delete', 'DELETE /organizations/{org}/alert-webhook', {
    summary: 'Delete the alert webhook with its pending calls',
    examples: '--yes',
    flags: yes,
    confirm: () => 'Delete the alert webhook and its pending calls?',
    done: () => [{ url: null }, 'Deleted the alert webhook.'],
  }),
  route('rotate-secret', 'POST /organizations/{org}/alert-webhook/rotate-secret', {
    summary: 'Create a new signing secret and print it once',
    examples: '--overlap 86400',
    flags: {
      overlapSeconds: ['--overlap <seconds>', 'how long calls carry both signatures (default: 0)', wholeNumber],
      value: ['--value', 'print only the secret', local],
      idempotencyKey: ['--idempotency-key <key>', 'key that makes a retry return the same secret', localText],
    },
    input: ({ overlapSeconds = 0 }) => ({ overlapSeconds }),
    secret: 'secret',
    record: {
      Secret: 'secret',
      'Old secret expires': ({ previousSecretExpiresAt: at }) => timeCell(at) ?? 'already revoked',
    },
  }),
  route('test', 'POST /organizations/{org}/alert-webhook/test', {
    summary: 'Send a test call',
    show: ({ output }, answer) => output.record(answer, deliveryFields(answer.delivery)),
  }),
]);

const settings: View<Webhook> = {
  Enabled: 'enabled',
  Severity: leastSeverity,
  Kinds: ({ kinds }) => listText(kinds),
  'Old secret expires': 'previousSecretExpiresAt',
  Secret: ({ secret = null }) => secret,
};

function showWebhook({ output }: Run, shown: Webhook): void {
  output.record(shown, [
    ['Webhook', shown.url ?? 'not set'],
    ...(shown.url === null ? [] : fieldsOf(settings, shown)),
    ...(shown.lastDelivery === null ? [] : deliveryFields(shown.lastDelivery)),
  ]);
}

function deliveryFields(delivery: Schema<'AlertWebhookDelivery'>): Field[] {
  return fieldsOf(
    {
      'Last call': ({ callId, type }) => `${callId} ${type}`,
      'Attempted (UTC)': 'at',
      Outcome: toned('outcome', { delivered: 'good', retrying: 'busy', failed: 'bad', skipped: 'quiet' }),
      Response: ({ status, error }) => status ?? error,
      'Next attempt': 'nextAttemptAt',
    },
    delivery,
  );
}

export const alerts = group('alerts', 'See what needs attention', [
  route('list', 'GET /organizations/{org}/alerts', {
    summary: 'List alerts of the organization, newest first',
    examples: ['--status open', '--severity critical --json'],
    flags: {
      ...pages,
      status: ['--status <status>', 'status', oneOf(alertStatuses)],
      severity: ['--severity <severity>', 'severity', oneOf(alertSeverities)],
      kind: ['--kind <kind>', 'kind', oneOf(alertKindNames)],
      workspaceId: ['--of-workspace <workspace>', 'only alerts of this workspace'],
      channelId: ['--channel <channel>', 'only alerts of this channel'],
    },
    columns: {
      'OPENED (UTC)': 'openedAt',
      ALERT: 'alertId',
      SEVERITY: severity,
      STATUS: statusText,
      KIND: 'kind',
      SUBJECT: ({ subject }) => subject.label,
      TIMES: 'occurrences',
    },
  }),
  route('get <alert>', 'GET /alerts/{alr}', {
    summary: 'Show an alert',
    record: {
      Alert: 'alertId',
      Title: 'title',
      Description: 'description',
      Severity: severity,
      Status: statusText,
      Kind: 'kind',
      Subject: ({ subject }) => [subject.type, subject.id].filter((part) => part !== null).join(' '),
      Workspace: ({ workspaceId }) => workspaceId ?? 'whole organization',
      Channel: 'channelId',
      Occurrences: 'occurrences',
      'Opened (UTC)': 'openedAt',
      'Last seen (UTC)': 'lastSeenAt',
      'Resolved (UTC)': 'resolvedAt',
      'Acknowledged by': 'acknowledgedBy',
    },
  }),
  route('acknowledge <alert>', 'POST /alerts/{alr}/acknowledge', {
    summary: 'Acknowledge an alert; resolves it if its cause is in the past',
    done,
  }),
  route('mute <alert>', 'POST /alerts/{alr}/mute', {
    summary: 'Leave an alert out of emails for some time',
    examples: 'alr_4fT9aPq2 --for 12h',
    flags: { for: ['--for <time>', 'how long: 30m, 12h or 7d', required()] },
    input: (options, _, run) => ({ until: muteUntil(options.for, run) }),
    done,
  }),
  route('unmute <alert>', 'POST /alerts/{alr}/unmute', { summary: 'Unmute an alert', done }),
  preferences,
  webhook,
]);
