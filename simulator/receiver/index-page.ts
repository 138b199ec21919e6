import { escapeHtml } from '../servers/escape-html.ts';
import type { ReceivedRequest } from './request-record.ts';
import type { ScriptedWebhook } from './scripted-webhook.ts';

const SHOWN_REQUESTS = 20;
const SHOWN_CHARACTERS = 2000;

export function indexPage(webhooks: ReadonlyMap<string, ScriptedWebhook>): string {
  const sections = [...webhooks].map(([name, webhook]) => section(name, webhook)).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Receiver</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>Receiver</h1>
${sections || '<p>No webhook has been called or scripted yet.</p>'}
</html>
`;
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
