import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type AlertKind, alertKindNames, alertSeverities, type AlertSeverity } from '../../contract/alerts/kinds.ts';
import { addCommand, addGroup, choiceOption, listOption, parseWholeNumber } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { type CellValue, type Field, timeCell, type Tone } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';

type Webhook = Schema<'AlertWebhook'>;
type Delivery = Schema<'AlertWebhookDelivery'>;

const tones: Readonly<Record<Delivery['outcome'], Tone>> = {
  delivered: 'good',
  retrying: 'busy',
  failed: 'bad',
  skipped: 'quiet',
};

export function addAlertWebhook(alerts: Command, act: Act): void {
  const group = addGroup(alerts, 'webhook', 'Send alerts of the organization to a URL');
  const add = (usage: string, summary: string, example: string) =>
    addCommand(group, usage, { summary, examples: [`channels alerts webhook ${example}`] });
  add('show', 'Show the alert webhook and its last delivery', 'show').action(act(show));
  add('set <url>', 'Set the alert webhook; its first secret is printed once', 'set https://ops.example.com/alerts')
    .addOption(choiceOption('--min-severity <severity>', 'least severity that is sent', alertSeverities))
    .addOption(listOption('--kinds <kinds>', 'only these kinds (default: all)', alertKindNames))
    .option('--disabled', 'send nothing for now')
    .action(act(set));
  add('delete', 'Delete the alert webhook with its pending calls', 'delete --yes')
    .option('--yes', 'skip the confirmation')
    .action(act(remove));
  add('rotate-secret', 'Create a new signing secret and print it once', 'rotate-secret --overlap 86400')
    .option('--overlap <seconds>', 'how long calls carry both signatures (default: 0)', parseWholeNumber)
    .option('--value', 'print only the secret')
    .option('--idempotency-key <key>', 'key that makes a retry return the same secret')
    .action(act(rotate));
  add('test', 'Send a test call', 'test').action(act(test));
}

async function at(run: Run) {
  return { params: { path: { org: await run.organizationId() } } };
}

function showWebhook({ output }: Run, webhook: Webhook & { readonly secret?: string | null }): void {
  const { url, enabled, minSeverity, kinds, secret, previousSecretExpiresAt, lastDelivery } = webhook;
  output.record(webhook, [
    ['Webhook', url ?? 'not set'],
    ...(url === null
      ? []
      : ([
          ['Enabled', enabled ? 'yes' : 'no'],
          ['Severity', minSeverity === 'critical' ? 'critical' : 'all'],
          ['Kinds', kinds?.join(', ') ?? 'all'],
          ['Old secret expires', timeCell(previousSecretExpiresAt)],
          ['Secret', secret ?? null],
        ] satisfies Field[])),
    ...(lastDelivery === null ? [] : deliveryFields(lastDelivery)),
  ]);
}

function deliveryFields({ callId, type, at: time, outcome, status, error, nextAttemptAt }: Delivery): Field[] {
  return [
    ['Last call', `${callId} ${type}`],
    ['Attempted (UTC)', timeCell(time)],
    ['Outcome', { text: outcome, tone: tones[outcome] } satisfies CellValue],
    ['Response', status ?? error],
    ['Next attempt', timeCell(nextAttemptAt)],
  ];
}

async function show(run: Run): Promise<void> {
  showWebhook(run, await (await run.client()).get('/organizations/{org}/alert-webhook', await at(run)));
}

interface SetOptions {
  readonly minSeverity?: AlertSeverity;
  readonly kinds?: AlertKind[];
  readonly disabled?: boolean;
}

async function set(run: Run, url: string, { minSeverity, kinds, disabled = false }: SetOptions): Promise<void> {
  const body = { url, enabled: !disabled, minSeverity: minSeverity ?? 'warning', kinds: kinds ?? null };
  const saved = await (await run.client()).put('/organizations/{org}/alert-webhook', { ...(await at(run)), body });
  if (saved.secret !== null) run.output.note('Store the secret now. It is not shown again.');
  showWebhook(run, saved);
}

async function remove(run: Run, options: { readonly yes?: boolean }): Promise<void> {
  await confirm(run.world, 'Delete the alert webhook and its pending calls?', options);
  await (await run.client()).delete('/organizations/{org}/alert-webhook', await at(run));
  run.output.done({ url: null }, 'Deleted the alert webhook.');
}

interface RotateOptions {
  readonly overlap?: number;
  readonly value?: boolean;
  readonly idempotencyKey?: string;
}

async function rotate(run: Run, { overlap = 0, value, idempotencyKey }: RotateOptions): Promise<void> {
  const { path } = (await at(run)).params;
  const rotated = await (
    await run.client()
  ).post('/organizations/{org}/alert-webhook/rotate-secret', {
    params: { path, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
    body: { overlapSeconds: overlap },
  });
  if (value) return run.output.exact(`${rotated.secret}\n`);
  run.output.record(rotated, [
    ['Secret', rotated.secret],
    ['Old secret expires', timeCell(rotated.previousSecretExpiresAt) ?? 'already revoked'],
  ]);
}

async function test(run: Run): Promise<void> {
  const answer = await (await run.client()).post('/organizations/{org}/alert-webhook/test', await at(run));
  run.output.record(answer, deliveryFields(answer.delivery));
}
