import { gzipSync } from 'node:zlib';
import test from 'ava';
import { BODY_MS } from '../../../process/http-server.ts';
import { channelToken, startStage } from '../../gateway/stage.ts';
import { testApi } from '../../harness/api/api.ts';
import { rawConnection, statusesIn } from '../../harness/connections/raw-connection.ts';
import { aTenant } from '../../harness/tenants.ts';
import { until } from '../../harness/until.ts';
import { proxies, startProxy } from './start-proxy.ts';

/** Far above the duration of a response, but below the time after which the service cuts a stalled body. */
const PROMPT_MS = BODY_MS - 5_000;
/** Above every limit, but small enough for the buffers on the way, so that the proxy considers it sent. */
const BODY_BYTES = 1_500_000;
const OTHERS = 5;

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const json = 'content-type: application/json\r\n';
const signature = `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`;
const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 9 });

/** Path, headers, status and body. */
const refusedByApi = [
  ['without a signature', '/platform/webhooks', '', 401, BODY_BYTES],
  ['with a wrong signature', '/platform/webhooks', signature, 401, BODY_BYTES],
  ['larger than the platform sends', '/platform/webhooks', signature, 413, 6_000_000],
  ['on an unknown route', '/nowhere', '', 404, BODY_BYTES],
  ['larger than JSON may be', '/organizations/{org}/workspaces', `{key}${json}`, 413, BODY_BYTES],
  ['larger than an open route takes', '/auth/sign-in', json, 413, BODY_BYTES],
  ['that inflates', '/organizations/{org}/workspaces', `{key}${json}content-encoding: gzip\r\n`, 415, packed],
] as const;

const refusedByGateway = [
  ['without a token', '/platform/v22.0/3000/messages', json, 401, BODY_BYTES],
  ['larger than parameters may be', '/platform/v22.0/3000/messages', `authorization: Bearer ${channelToken}\r\n${json}`, 413, BODY_BYTES],
] as const; // prettier-ignore

function chunked(body: number | Buffer): Buffer {
  const bytes = typeof body === 'number' ? Buffer.alloc(body, 'x') : body;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
}

async function othersAreAnswered(url: string): Promise<number[]> {
  const statuses = [];
  for (let count = 0; count < OTHERS; count++) {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROMPT_MS) });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

for (const name of Object.keys(proxies)) {
  test(`behind ${name}, the API answers others after rejecting a body`, async (t) => {
    const events = { accept: () => Promise.reject(new Error('taken')) };
    const ingest = { events, appSecrets: ['secret'], verifyToken: 'token' };
    const { url: serviceUrl, db } = await testApi(t, { ingest });
    const { apiKey, organization } = await aTenant(db);
    const url = await startProxy(t, name, serviceUrl);

    for (const [what, path, headers, status, body] of refusedByApi) {
      const head = `${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${headers}`;
      const filled = head
        .replace('{org}', organization.publicId)
        .replace('{key}', `authorization: Bearer ${apiKey}\r\n`);
      const { write, includes, socket } = await rawConnection(t, url);
      write(`POST ${filled}\r\n`);
      write(chunked(body));
      t.is(statusesIn(await includes('HTTP/1.1 '))[0], status, what);
      t.deepEqual(await othersAreAnswered(url), Array(OTHERS).fill(200), what);
      socket.destroy();
    }
  });

  test(`behind ${name}, the gateway answers others after rejecting a body`, async (t) => {
    const { url: serviceUrl } = await startStage(t, { channel: number });
    const url = await startProxy(t, name, serviceUrl);
    for (const [what, path, headers, status, body] of refusedByGateway) {
      const { write, includes, socket } = await rawConnection(t, url);
      write(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${headers}\r\n`);
      write(chunked(body));
      t.is(statusesIn(await includes('HTTP/1.1 '))[0], status, what);
      t.deepEqual(await othersAreAnswered(url), Array(OTHERS).fill(200), what);
      socket.destroy();
    }
  });

  test(`behind ${name}, others are answered during an endless rejected body`, async (t) => {
    const { url: serviceUrl, lines } = await startStage(t, { channel: number });
    const url = await startProxy(t, name, serviceUrl);
    const { write } = await rawConnection(t, url);
    write('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\nhalf');
    // Go's server delays the response until the body ends, although the service has sent it.
    await until(() => lines.some(({ code }) => code === 'ROUTE_NOT_FOUND'), { for: 'The refusal' });
    t.deepEqual(await othersAreAnswered(url), Array(OTHERS).fill(200));
  });
}
