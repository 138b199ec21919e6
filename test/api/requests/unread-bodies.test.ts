import test, { type ExecutionContext } from 'ava';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { testApi } from '../../harness/api/api.ts';
import { rawConnection, statusesIn } from '../../harness/connections/raw-connection.ts';
import { aTenant } from '../../harness/tenants.ts';

const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
const signature = `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`;

async function anApi(t: ExecutionContext) {
  const events = { accept: () => Promise.reject(new Error('taken')) };
  const bodies = createBodyBudget();
  const ingest = { events, appSecrets: ['secret'], verifyToken: 'token' };
  const { url, db } = await testApi(t, { ingest, bodies });
  const tenant = await aTenant(db);
  return { url, bodies, key: `authorization: Bearer ${tenant.apiKey}\r\n`, organization: tenant.organization.publicId };
}

/** Requests with an endless body: reason, method, path, headers, status. */
const requests = [
  ['an oversized body', 'POST', '/platform/webhooks', signature, 413],
  ['no signature', 'POST', '/platform/webhooks', '', 401],
  ['an unknown route', 'POST', '/nowhere', '', 404],
  ['an unsupported method', 'PUT', '/platform/webhooks', '', 405],
  ['no credential', 'POST', '/organizations/{org}/workspaces', '', 401],
  ['an unsupported type', 'POST', '/organizations/{org}/workspaces', '{key}content-type: text/plain\r\n', 415],
  ['a compressed body', 'POST', '/organizations/{org}/workspaces', '{key}content-type: application/json\r\ncontent-encoding: gzip\r\n', 415],
  ['an oversized JSON body', 'POST', '/organizations/{org}/workspaces', '{key}content-type: application/json\r\n', 413],
  ['an unread body', 'GET', '/healthz', '', 200],
  ['an oversized body at an open route', 'POST', '/auth/sign-in', 'content-type: application/json\r\n', 413],
  ['a foreign host at /mcp', 'POST', '/mcp', '', 403],
] as const; // prettier-ignore

for (const [what, method, path, headers, status] of requests) {
  test(`the connection closes after ${what}`, async (t) => {
    const { url, key, organization } = await anApi(t);
    const { socket, write, ended } = await rawConnection(t, url);
    const head = `${method} ${path.replace('{org}', organization)} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n`;

    write(`${head}${headers.replace('{key}', key)}\r\n`);
    const sending = setInterval(() => socket.writableNeedDrain || write(chunk), 1);
    t.teardown(() => clearInterval(sending));
    const text = await ended();

    t.deepEqual(statusesIn(text), [status]);
    t.regex(text, /^connection: close\r$/im);
  });
}

test('a small body that arrives late keeps its connection', async (t) => {
  const { url } = await anApi(t);
  const { write, includes } = await rawConnection(t, url);
  write('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n');
  write('hello');
  const text = await includes('ROUTE_NOT_FOUND');
  t.notRegex(text, /connection: close/i);
});
