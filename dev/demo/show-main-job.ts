import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseSha256Header, signatureHeader } from '../../contract/deliveries/signature.ts';
import type { Addresses, DemoTenants } from './demo.ts';
import { heading } from './terminal.ts';
import { demoWebhook, type ReceivedDelivery, tourCalls, type TourCalls } from './tour-calls.ts';

export interface ShowMainJob {
  readonly addresses: Addresses;
  readonly tenants: DemoTenants;
  readonly namespace: string;
  readonly demoEnvPath: string;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

type Tour = ShowMainJob & { readonly calls: TourCalls; readonly secret: string };

const deliveryStatus = z.object({ status: z.string(), nextAttemptAt: z.string().nullable() });
/** Scripts wait for it. */
export const READY_TEXT = 'Everything is up';
const RECOVERY_DEADLINE_MS = 90_000;
const POLL_MS = 1_000;

/** Shows the addresses at the end, also if a step fails. */
export async function showMainJob(request: ShowMainJob): Promise<void> {
  const calls = tourCalls(request);
  try {
    const secret = await saveWebhook({ ...request, calls });
    const tour = { ...request, calls, secret };
    await showDelivery(tour);
    await showFailedDelivery(tour);
  } finally {
    if (!request.signal.aborted) showSummary(request);
  }
}

async function saveWebhook({ calls, addresses, tenants, say }: ShowMainJob & { calls: TourCalls }): Promise<string> {
  const channelId = tenants.channels.chatapp.id;
  const webhookUrl = `${addresses.receiverUrl}/webhook/${demoWebhook}`;
  const verifyToken = randomBytes(12).toString('base64url');
  heading('1. The service saves a webhook after the receiver has answered both probes');
  await calls.scriptReceiver({ verifyToken });
  await calls.api({ method: 'PUT', path: `/webhook-config/${channelId}`, body: { webhookUrl, verifyToken } });
  say(`PUT ${addresses.baseUrl}/webhook-config/${channelId} -> verified and saved: ${webhookUrl}`);
  const answer = await calls.api({ method: 'GET', path: `/webhook-config/${channelId}/hmac` });
  const { hmacSecret } = z.object({ hmacSecret: z.string() }).parse(answer);
  await calls.scriptReceiver({ verifyToken, secret: hmacSecret });
  return hmacSecret;
}

async function showDelivery({ calls, secret, addresses, tenants, demoEnvPath, say }: Tour): Promise<void> {
  heading('2. The platform sends a message, and the receiver gets a signed delivery');
  const mark = randomBytes(4).toString('hex');
  const text = `Hello ${mark} 👋`;
  await calls.sendMessage(text);
  const delivery = await calls.deliveryWith(mark);
  const shown = Object.entries(delivery.headers).filter(([name]) => /^(x-service-|webhook-|content-type$)/.test(name));
  say(shown.map(([name, value]) => `  ${name}: ${value}`).join('\n'));
  say(`  the event as the platform sent it: ${delivery.body.length} bytes of JSON with the text "${text}"`);
  if (!isSigned({ delivery, secret })) throw new Error(`the signature of ${delivery.deliveryId} is wrong`);
  say("Signature: valid (HMAC-SHA256 over the raw bytes with the webhook's secret).");
  const page = `${addresses.baseUrl}/app/${tenants.organizationId}/${tenants.workspaceId}/deliveries/${delivery.deliveryId}`;
  say(`Its page in the dashboard, for admin@demo.example: ${page}`);
  say('Its record in the API:');
  say(`  . ${demoEnvPath}`);
  say(`  ${curlLine(`$BASE_URL/deliveries/${delivery.deliveryId}`)}`);
}

async function showFailedDelivery({ calls, addresses, namespace, say, signal }: Tour): Promise<void> {
  heading('3. The receiver answers 503 once, and the service retries the delivery');
  const mark = randomBytes(4).toString('hex');
  await calls.scriptReceiver({ answers: [{ status: 503 }] });
  await calls.sendMessage(`Trouble ${mark}`);
  const { deliveryId } = await calls.deliveryWith(mark);
  const lateAtMs = performance.now() + RECOVERY_DEADLINE_MS;
  let last = '';
  while (performance.now() < lateAtMs) {
    const record = deliveryStatus.parse(await calls.api({ method: 'GET', path: `/deliveries/${deliveryId}` }));
    if (record.status !== last) say(`  ${deliveryId} is ${record.status}${waitText(record.nextAttemptAt)}`);
    if (record.status === 'delivered') return say(workflowsText(addresses.temporalUiUrl, namespace));
    last = record.status;
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new Error(`${deliveryId} is still ${last} after ${RECOVERY_DEADLINE_MS / 1000} s`);
}

function workflowsText(temporalUiUrl: string | undefined, namespace: string): string {
  const where = temporalUiUrl ? `: ${temporalUiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows` : '';
  return `A delivery that fails three times waits in a workflow of its own${where}`;
}

/** Lists pages. The addresses that only programs call are in the file. */
function showSummary({ addresses, demoEnvPath, say }: ShowMainJob): void {
  const { baseUrl, temporalUiUrl, receiverUrl, mailInboxUrl } = addresses;
  heading(
    `${READY_TEXT}. Continue with "Your first event" of README.md in a second terminal, or sign in as admin@demo.example.`,
  );
  const rows: [string, string | undefined][] = [
    ['Dashboard', baseUrl],
    ['Mail inbox', `${mailInboxUrl} (sign-in codes)`],
    ['Guides', `${baseUrl}/guides/`],
    ['API reference', `${baseUrl}/docs`],
    ['Receiver', receiverUrl],
    ['Temporal Web UI', temporalUiUrl],
    ['Ids, key, addresses', `set -a; . ${demoEnvPath}; set +a`],
    ['Stop', 'Ctrl-C; the next `npm start` continues with the same data'],
  ];
  say(box(rows.flatMap(([name, value]) => (value ? [`${name.padEnd(22)}${value}`] : []))));
}

function box(lines: readonly string[]): string {
  const width = Math.max(...lines.map(({ length }) => length));
  const rule = '─'.repeat(width + 2);
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${rule}┘`].join('\n');
}

/** Shares no code with the service, as in a receiver. */
function isSigned({ delivery, secret }: { delivery: ReceivedDelivery; secret: string }): boolean {
  const expected = createHmac('sha256', secret).update(delivery.body).digest();
  const signatures = delivery.headers[signatureHeader]?.split(',') ?? [];
  return signatures.some((signature) => {
    const given = Buffer.from(parseSha256Header(signature.trim()) ?? '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function curlLine(url: string): string {
  return `curl -H "Authorization: Bearer $SERVICE_API_KEY" -H "X-Workspace-Id: $SERVICE_WORKSPACE_ID" ${url}`;
}

function waitText(nextAttemptAt: string | null): string {
  if (nextAttemptAt === null) return '';
  const seconds = Math.max(0, (Date.parse(nextAttemptAt) - Date.now()) / 1000);
  return `, next attempt in ${seconds.toFixed(1)} s`;
}
