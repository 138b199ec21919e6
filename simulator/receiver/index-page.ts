import { escapeHtml, htmlPage } from '../servers/html.ts';
import type { ReceivedRequest, ScriptedWebhook } from './scripted-webhook.ts';

const SHOWN_REQUESTS = 20;
const SHOWN_CHARACTERS = 2000;

export function indexPage(webhooks: ReadonlyMap<string, ScriptedWebhook>): string {
  const sections = [...webhooks].map(([name, webhook]) => section(name, webhook)).join('\n');
  return htmlPage({ title: 'Receiver', body: sections || '<p>No webhook has been called or scripted yet.</p>' });
}

function section(name: string, webhook: ScriptedWebhook): string {
  const { deliveryCount, probeCount } = webhook.log.counts;
  const after = webhook.log.nextNumber - 1 - SHOWN_REQUESTS;
  const rows = webhook
    .requests({ after: Math.max(0, after) })
    .reverse()
    .map(row)
    .join('\n');
  return `<h2>${escapeHtml(name)}</h2>
<p><code>${escapeHtml(webhook.url)}</code>: ${deliveryCount} deliveries, ${probeCount} probes</p>
<table>
<tr><th>#</th><th>Received</th><th>Request</th><th>Answered</th><th>Signatures</th><th>Headers and body</th></tr>
${rows}
</table>`;
}

function row(request: ReceivedRequest): string {
  const body = Buffer.from(request.bodyBase64 ?? '', 'base64').toString('utf8');
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const cells = [
    String(request.number),
    request.receivedAt,
    `${request.method} ${request.path}${request.isProbe ? ' (probe)' : ''}`,
    request.answeredStatus === null ? 'not yet' : String(request.answeredStatus),
    `service: ${verdict(request.signatureValid)}, standard: ${verdict(request.standardSignatureValid)}`,
  ];
  const details = `<details><summary>${request.bodyLength} bytes</summary><pre>${escapeHtml(headers.join('\n'))}

${escapeHtml(body.slice(0, SHOWN_CHARACTERS))}</pre></details>`;
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}<td>${details}</td></tr>`;
}

function verdict(isValid: boolean | null): string {
  if (isValid === null) return 'not checked';
  return isValid ? 'valid' : 'INVALID';
}
