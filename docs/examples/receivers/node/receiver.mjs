// A webhook receiver for Node.js 20 or later, without dependencies:
//   PORT=8080 VERIFY_TOKEN=… WEBHOOK_HMAC_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '8080', VERIFY_TOKEN, WEBHOOK_HMAC_SECRET, SIGNATURE = 'service' } = process.env;
for (const [name, value] of Object.entries({ VERIFY_TOKEN, WEBHOOK_HMAC_SECRET })) {
  if (!value) refuseStart(`${name} is not set. \`channels env\` prints the values of a channel.`);
}
const isGenuine = { service: hasServiceSignature, standard: hasStandardSignature }[SIGNATURE];
if (!isGenuine) refuseStart('SIGNATURE must be service or standard.');

const MAX_BODY_BYTES = 4 * 1024 * 1024; // the largest delivery
const TOLERANCE_SECONDS = 5 * 60;
const REMEMBERED = 10_000;
const seen = new Set(); // delivery ids, oldest first

/**
 * Verifies X-Service-Signature-256 over the raw body. During a rotation the header has one signature per secret. It does
 * not cover the delivery id and the time, so a captured request can be replayed under another id.
 * SIGNATURE=standard prevents that.
 */
function hasServiceSignature(headers, body) {
  const expected = 'sha256=' + createHmac('sha256', WEBHOOK_HMAC_SECRET).update(body).digest('hex');
  return (headers['x-service-signature-256'] ?? '').split(',').some((given) => isSame(given.trim(), expected));
}

/** Verifies webhook-signature (Standard Webhooks), which also covers the id and the time, so old requests are refused. */
function hasStandardSignature(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false; // also refuses NaN
  const key = Buffer.from(WEBHOOK_HMAC_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = 'v1,' + createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((given) => isSame(given, expected));
}

function isSame(given, expected) {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function receive(request, response) {
  const answer = (status, text = '') => response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  if (request.method === 'GET') {
    const query = new URL(request.url, 'http://receiver').searchParams;
    const isProbe = query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', VERIFY_TOKEN);
    return isProbe ? answer(200, VERIFY_TOKEN) : answer(403);
  }
  if (request.method !== 'POST') return answer(405);

  const body = await readBody(request);
  if (!body) return answer(413);
  if (request.headers['x-service-probe'] && body.length === 0) return answer(204); // the unsigned probe: answer it and do nothing
  if (!isGenuine(request.headers, body)) return answer(401);

  // Equal to X-Service-Delivery-Id, but covered by webhook-signature.
  const deliveryId = request.headers['webhook-id'];
  if (!deliveryId) return answer(400);
  if (seen.has(deliveryId)) return answer(200);
  // In production, insert the id (unique) and the body into your database here, in one transaction. Then answer, and
  // process the events from that table. This memory is lost when the process exits.
  seen.add(deliveryId);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
  answer(200);
  setImmediate(work, { deliveryId, type: request.headers['x-service-event-type'], body });
}

/** Processes an event, after the response. */
function work({ deliveryId, type, body }) {
  console.log(`${type} ${deliveryId} ${body.length} bytes`);
}

function refuseStart(reason) {
  console.error(`receiver: ${reason}`);
  process.exit(1);
}

/** Returns the raw body, or undefined if it is too large. Reads and discards the rest, so that the response arrives. */
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
server.on('error', ({ message }) => refuseStart(message)); // such as a port in use
server.listen(Number(PORT), () => console.log(`listening on ${PORT}`));
