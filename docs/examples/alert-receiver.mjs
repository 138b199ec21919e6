// A receiver of an alert webhook for Node.js 20 or later, without dependencies:
//   PORT=8080 ALERT_WEBHOOK_SECRET=whsec_… node alert-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '8080', ALERT_WEBHOOK_SECRET } = process.env;
if (!ALERT_WEBHOOK_SECRET) {
  console.error('alert-receiver: ALERT_WEBHOOK_SECRET is not set. `channels alerts webhook set` prints it.');
  process.exit(1);
}

const MAX_BODY_BYTES = 1024 * 1024;
const TOLERANCE_SECONDS = 5 * 60;
const REMEMBERED = 10_000;
const seen = new Set(); // call ids, oldest first
const open = new Map(); // alerts by id

/** Verifies webhook-signature (Standard Webhooks) over id, time and raw body. A rotation adds a second signature. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false; // also refuses NaN
  const key = Buffer.from(ALERT_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = 'v1,' + createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((given) => isSame(given, expected));
}

function isSame(given, expected) {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function receive(request, response) {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== 'POST') return answer(405);
  const body = await readBody(request);
  if (!body) return answer(413);
  if (!isGenuine(request.headers, body)) return answer(401);
  const call = JSON.parse(body);
  if (!seen.has(call.id)) take(call); // a call that was answered too late is repeated
  answer(204);
}

/** Calls may arrive in another order, so each alert says whether it is open. Ignore types that you don't know. */
function take({ id, type, count, alerts }) {
  seen.add(id);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
  if (type === 'alert.test') return console.log(`test ${id}`);
  for (const alert of alerts) {
    if (alert.status === 'open') open.set(alert.alertId, alert);
    else open.delete(alert.alertId);
    console.log(`${alert.status} ${alert.severity} ${alert.alertId} ${alert.description}`);
  }
  if (count > alerts.length) console.log(`and ${count - alerts.length} more: see GET /organizations/{org}/alerts`);
}

/** Returns the raw body, or undefined if it is too large. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy()); // the sender has disconnected
});
server.requestTimeout = 10_000;
server.listen(Number(PORT), () => console.log(`listening on ${PORT}`));
