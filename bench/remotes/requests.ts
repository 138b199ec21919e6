import { platformSignatureHeader, signWebhook } from '../../simulator/webhooks/post-webhook.ts';
import { webhookBody, type BenchEvents } from './webhooks.ts';

export interface PreparedRequests extends BenchEvents {
  readonly webhookUrl: string;
  readonly appSecret: string;
}

export function prepareRequests(prepared: PreparedRequests): Buffer[] {
  const { host, pathname } = new URL(prepared.webhookUrl);
  return Array.from({ length: prepared.count }, (_, sequence) => {
    const body = webhookBody(prepared, sequence);
    const head =
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
      `${platformSignatureHeader}: ${signWebhook(body, prepared.appSecret)}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  });
}
