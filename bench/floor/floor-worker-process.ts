import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, types } from 'pg';
import { Agent, request } from 'undici';
import { claimWaitingSql, createFloorTables, settleSql } from './floor-tables.ts';

/** Claims by batch, signs, posts, and deletes in bulk. Polls: it has no notifications, leases, order or retries. */
const { DATABASE_URL, SINK_URL } = process.env;
const CLAIM_ROWS = 512;
const CONNECTIONS = 64;
const MAX_IN_FLIGHT = 256;
const IDLE_MS = 2;
const BUSY_MS = 1;
const SECRET = 'floor';
const INT8_OID = 20;

interface Claimed {
  readonly id: number;
  readonly body: Buffer;
}

types.setTypeParser(INT8_OID, Number);
const claimer = await connect();
const settler = await connect();
await createFloorTables(claimer);
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
const held = new Set<number>();
let sent: number[] = [];
let isSettling = false;
let inFlightCount = 0;
console.log('"floor.started"');

for (;;) {
  const claimed = await claim();
  if (claimed.length === 0) await sleep(IDLE_MS);
  for (const row of claimed) void send(row);
  while (inFlightCount > MAX_IN_FLIGHT) await sleep(BUSY_MS);
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  return client;
}

async function claim(): Promise<Claimed[]> {
  const { rows } = await claimer.query<Claimed>({
    name: 'claim-waiting',
    text: claimWaitingSql,
    values: [[...held], CLAIM_ROWS],
  });
  return rows;
}

async function send({ id, body }: Claimed): Promise<void> {
  held.add(id);
  inFlightCount++;
  try {
    const response = await request(SINK_URL!, { dispatcher: agent, method: 'POST', body, headers: signed(id, body) });
    await response.body.dump();
    sent.push(id);
    if (!isSettling) void settle();
  } catch {
    held.delete(id);
  } finally {
    inFlightCount--;
  }
}

/** The two signatures that the service sends. */
function signed(id: number, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const webhookId = `wd_${id}`;
  const standard = createHmac('sha256', SECRET).update(`${webhookId}.${timestamp}.`).update(body).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
    'x-service-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  };
}

async function settle(): Promise<void> {
  isSettling = true;
  await new Promise((resolve) => setImmediate(resolve));
  while (sent.length > 0) {
    const batch = sent;
    sent = [];
    await settler.query({ name: 'settle', text: settleSql, values: [batch] });
    for (const id of batch) held.delete(id);
  }
  isSettling = false;
}
