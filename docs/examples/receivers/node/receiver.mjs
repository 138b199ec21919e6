// Receives deliveries. Node.js 20 or later, nothing to install:
//   PORT=8080 VERIFY_TOKEN=… WEBHOOK_HMAC_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '8080', VERIFY_TOKEN, WEBHOOK_HMAC_SECRET, SIGNATURE = 'service' } = process.env;
if (!VERIFY_TOKEN || !WEBHOOK_HMAC_SECRET) throw new Error('VERIFY_TOKEN and WEBHOOK_HMAC_SECRET must be set');
const isGenuine = { service: hasServiceSignature, standard: hasStandardSignature }[SIGNATURE];
if (!isGenuine) throw new Error('SIGNATURE is service or standard');

const MAX_BODY_BYTES = 4 * 1024 * 1024; // no delivery is larger
const TOLERANCE_SECONDS = 5 * 60;
const REMEMBERED = 10_000;
const seen = new Set(); // delivery ids, oldest first

/**
 * X-Service-Signature-256, over the raw bytes. While the secret rotates it carries one signature for each secret. It leaves
 * the id and the time unsigned: who has seen a request can send it again under another id. SIGNATURE=standard covers both.
 */
function hasServiceSignature(headers, body) {
  const expected = 'sha256=' + createHmac('sha256', WEBHOOK_HMAC_SECRET).update(body).digest('hex');
  return (headers['x-service-signature-256'] ?? '').split(',').some((given) => isSame(given.trim(), expected));
}

/** The same by Standard Webhooks, which signs the id and the time too: an old request that is sent again is refused. */
function hasStandardSignature(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false; // written so that NaN is refused
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
  if (request.headers['x-service-probe'] && body.length === 0) return answer(204); // unsigned, and nothing is done
  if (!isGenuine(request.headers, body)) return answer(401);

  // The same as X-Service-Delivery-Id; this is the one that webhook-signature covers.
  const deliveryId = request.headers['webhook-id'];
  if (!deliveryId) return answer(400);
  if (seen.has(deliveryId)) return answer(200);
  // Memory forgets when the process ends. In earnest, insert the id and the body into your database here, in one
  // transaction and the id unique; answer; and work off that table.
  seen.add(deliveryId);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
  answer(200);
  setImmediate(work, { deliveryId, type: request.headers['x-service-event-type'], body });
}

/** Your own work, after the answer. */
function work({ deliveryId, type, body }) {
  console.log(`${type} ${deliveryId} ${body.length} bytes`);
}

/** The raw bytes; undefined when there are too many. What is too much is read and dropped, so that an answer arrives. */
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
  receive(request, response).catch(() => response.destroy()); // the sender has gone
});
server.requestTimeout = 10_000;
server.listen(Number(PORT), () => console.log(`listening on ${PORT}`));
