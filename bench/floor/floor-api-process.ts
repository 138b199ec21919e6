import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Client } from 'pg';
import { packBytes } from '../../db/core/hot-pool.ts';
import { createFloorTables, insertWaitingSql } from './floor-tables.ts';

/** Accepts a signed POST and answers 200 after its commit. Requests that arrive during a commit share the next one. */
const { DATABASE_URL, API_PORT, PLATFORM_APP_SECRET } = process.env;
const SIGNATURE_PREFIX = 'sha256=';
const DIGEST_BYTES = 32;

interface Waiting {
  readonly key: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

const client = new Client({ connectionString: DATABASE_URL });
await client.connect();
await createFloorTables(client);
let waiting: Waiting[] = [];
let isCommitting = false;

const server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.end();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => accept({ request, response, body: Buffer.concat(chunks) }));
});
server.keepAliveTimeout = 120_000;
server.listen(Number(API_PORT), '127.0.0.1');

function accept({ request, response, body }: { request: IncomingMessage; response: ServerResponse; body: Buffer }) {
  if (!isSigned(request, body)) return void response.writeHead(401).end();
  JSON.parse(body.toString());
  // A UUID by its size; the floor looks for no duplicates.
  waiting.push({ key: createHash('md5').update(body).digest('hex'), body, response });
  if (!isCommitting) void commitWaiting();
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const header = String(headers['x-hub-signature-256'] ?? '');
  const given = Buffer.from(header.slice(SIGNATURE_PREFIX.length), 'hex');
  const expected = createHmac('sha256', PLATFORM_APP_SECRET ?? '')
    .update(body)
    .digest();
  return given.length === DIGEST_BYTES && timingSafeEqual(given, expected);
}

async function commitWaiting(): Promise<void> {
  isCommitting = true;
  await new Promise((resolve) => setImmediate(resolve));
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const { offsets, lengths, blob } = packBytes(batch.map(({ body }) => body));
    const values = [batch.map(({ key }) => key), offsets, lengths, blob];
    await client.query({ name: 'insert-waiting', text: insertWaitingSql, values });
    for (const { response } of batch) response.writeHead(200, { 'content-length': 0 }).end();
  }
  isCommitting = false;
}
