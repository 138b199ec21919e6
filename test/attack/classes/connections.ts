import { gzipSync } from 'node:zlib';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { call, type Conversation, talk } from '../cases/http-call.ts';
import { memoryMb } from '../../faults/memory.ts';
import { withHealthWatched } from '../cases/with-health-watched.ts';
import type { World } from '../cases/world.ts';

export const connections: AttackClass = {
  name: 'connections',
  concurrency: 4,
  cases: (world) => [
    ...listeners(world).flatMap((listener) => [...poisoned(listener), ...smuggled(listener), ...aborted(listener)]),
    ...listeners(world).flatMap(slow),
    ...crowds(world),
  ],
};

interface Listener {
  readonly name: string;
  readonly url: string;
  readonly routes: readonly string[];
  readonly headers: string;
  readonly maxBytes: number;
  readonly patience: number;
}

function listeners({ baseUrl, apiKey, gatewayUrl, held, patience = 1 }: World): Listener[] {
  const api = {
    name: 'API',
    url: baseUrl,
    routes: ['/auth/sign-in', '/replays', '/mcp', '/platform/webhooks', '/agent/auth/claim'],
    headers: `authorization: Bearer ${apiKey}\r\n`,
    maxBytes: 4 * 1024 * 1024,
    patience,
  };
  if (gatewayUrl === undefined || held === undefined) return [api];
  const routes = ['feed', 'messages', 'photos'].map((edge) => `/platform/v25.0/${held.resourceId}/${edge}`);
  const headers = `authorization: Bearer ${held.token}\r\n`;
  return [api, { name: 'gateway', url: gatewayUrl, routes, headers, maxBytes: 1024 * 1024, patience }];
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';
const TALK_MS = 8_000;
const ANSWER = /HTTP\/1\.1 (\d{3})/g;
const statusesOf = ({ text }: Conversation): number[] => [...text.matchAll(ANSWER)].map(([, status]) => Number(status));

/** Sends a refused body and then a request, which must be answered separately or find the connection closed. */
function poisoned({ name, url, routes, headers, maxBytes, patience }: Listener): AttackCase[] {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const chunked = Array.from({ length: Math.ceil(maxBytes / chunk.length) + 4 }, () => chunkOf(chunk));
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  return routes.flatMap((route) => {
    const head = (more: string): string =>
      `POST ${route} HTTP/1.1\r\nhost: a\r\n${headers}content-type: application/json\r\n${more}\r\n`;
    const shapes: readonly (readonly [string, readonly (string | Uint8Array)[]])[] = [
      ['a chunked body that is too large', [head('transfer-encoding: chunked\r\n'), ...chunked, '0\r\n\r\n', HEALTH]],
      ['a gzip bomb', [head(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`), bomb, HEALTH]],
      [
        'a chunked gzip bomb',
        [head('content-encoding: gzip\r\ntransfer-encoding: chunked\r\n'), chunkOf(bomb), '0\r\n\r\n', HEALTH],
      ],
      ['a length that is too large', [head(`content-length: ${maxBytes * 100}\r\n`), chunk, HEALTH]],
      ['chunks without an end', [head('transfer-encoding: chunked\r\n'), ...chunked]],
      ['an unknown encoding', [head('content-encoding: br, gzip, x\r\ncontent-length: 5\r\n'), 'hello', HEALTH]],
    ];
    return shapes.map(([shape, parts]) => ({
      name: `${name}: ${shape} to ${route}, then another request`,
      expectation: 'the next request is answered, or the connection is closed',
      attempt: async () => {
        const isEnough = (text: string): boolean => (text.match(ANSWER) ?? []).length >= 2;
        const outcome = await talk({ url, parts, isEnough, timeoutMs: TALK_MS * patience });
        const statuses = statusesOf(outcome);
        if (statuses.some((status) => status === 500)) return `It answers ${statuses.join()}.`;
        if (statuses.length === 0 && !outcome.isClosed) return 'There is no answer.';
        if (statuses.length >= 2 || outcome.isClosed) return undefined;
        return `After ${statuses[0]} the connection is open, and the next request has no answer in ${TALK_MS / 1_000} s.`;
      },
    }));
  });
}

function chunkOf(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Ambiguous framing must get one refusal and no second response. */
function smuggled({ name, url, routes, headers }: Listener): AttackCase[] {
  const inner = 'GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n';
  const length = `content-length: ${inner.length}\r\n`;
  const chunked = `0\r\n\r\n${inner}`;
  const first = `POST ${routes[0]} HTTP/1.1\r\nhost: a\r\n${headers}`;
  const shapes: readonly (readonly [string, string])[] = [
    ['length and chunks', `${first}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`],
    ['chunks and length', `${first}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${chunked}`],
    ['two lengths', `${first}content-length: 0\r\n${length}\r\n${inner}`],
    ['a list of lengths', `${first}content-length: 0, ${inner.length}\r\n\r\n${inner}`],
    ['a length with a sign', `${first}content-length: +${inner.length}\r\n\r\n${inner}`],
    ['a hexadecimal length', `${first}content-length: 0x10\r\n\r\n${inner}`],
    ['chunks behind another encoding', `${first}transfer-encoding: chunked, identity\r\n\r\n${chunked}`],
    ['an unknown transfer encoding', `${first}transfer-encoding: xchunked\r\n\r\n${chunked}`],
    ['two transfer encodings', `${first}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n${chunked}`],
    ['a space before the colon', `${first}transfer-encoding : chunked\r\n\r\n${chunked}`],
    ['a folded header', `${first}transfer-encoding:\r\n chunked\r\n\r\n${chunked}`],
    ['bare line feeds', `POST ${routes[0]} HTTP/1.1\nhost: a\n${length}\n${inner}`],
    ['a bare carriage return', `${first}x: a\rtransfer-encoding: chunked\r\n\r\n${chunked}`],
    ['a NUL in a header', `${first}x: a\0b\r\n\r\n${inner}`],
    ['a chunk size with a sign', `${first}transfer-encoding: chunked\r\n\r\n+0\r\n\r\n${inner}`],
    [
      'a chunk size that is too long',
      `${first}transfer-encoding: chunked\r\n\r\n${'0'.repeat(20)}fffffffffffffffff\r\n\r\n${inner}`,
    ],
    ['a chunk with bare line feeds', `${first}transfer-encoding: chunked\r\n\r\n5\nhello\n0\n\n${inner}`],
  ];
  return shapes.map(([shape, bytes]) => ({
    name: `${name}: a request with ${shape}`,
    expectation: 'one refusal, and what follows is no request',
    attempt: async () => {
      const isEnough = (text: string): boolean => (text.match(ANSWER) ?? []).length >= 2;
      const outcome = await talk({ url, parts: [bytes], isEnough, timeoutMs: 3_000 });
      const statuses = statusesOf(outcome);
      if (statuses.some((status) => status >= 500)) return `It answers ${statuses.join()}.`;
      return statuses.length >= 2 || /smuggled/.test(outcome.text)
        ? `It answers twice: ${statuses.join()}.`
        : undefined;
    },
  }));
}

function aborted({ name, url, routes, headers, patience }: Listener): AttackCase[] {
  return routes.flatMap((route) => {
    const head = `POST ${route} HTTP/1.1\r\nhost: a\r\n${headers}content-type: application/json\r\n`;
    const shapes: readonly (readonly [string, readonly string[]])[] = [
      ['a body that stops', [`${head}content-length: 1000\r\n\r\n{"a":`]],
      ['chunks that stop', [`${head}transfer-encoding: chunked\r\n\r\nff\r\n{"a":`]],
      ['100 requests at once', [HEALTH.repeat(100)]],
      ['an expectation', [`${head}content-length: 1000\r\nexpect: 100-continue\r\n\r\n`]],
      ['an upgrade', [`${head}connection: upgrade\r\nupgrade: websocket\r\ncontent-length: 0\r\n\r\n`]],
      ['an upgrade to HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ];
    return shapes.map(([shape, parts]) => ({
      name: `${name}: ${shape} to ${route}`,
      expectation: 'the process answers others, and no 500',
      attempt: () =>
        withHealthWatched({ url, patience }, async () => {
          const outcome = await talk({ url, parts, isEnough: () => false, timeoutMs: 300 });
          return statusesOf(outcome).includes(500) ? 'It answers 500.' : undefined;
        }),
    }));
  });
}

/** The service limits headers to 10 s and a request to 30 s, and checks every 30 s at most. */
const HEADERS_CLOSED_MS = 45_000;
const REQUEST_CLOSED_MS = 65_000;

function slow({ name, url, routes, headers }: Listener): AttackCase[] {
  const closedWithin = (what: string, parts: readonly string[], timeoutMs: number): AttackCase => ({
    name: `${name}: ${what}`,
    expectation: `the connection is closed within ${timeoutMs / 1_000} s`,
    deadlineMs: timeoutMs + 10_000,
    attempt: async () => {
      const { isClosed } = await talk({ url, parts, isEnough: () => false, timeoutMs });
      return isClosed ? undefined : `The connection is open after ${timeoutMs / 1_000} s.`;
    },
  });
  return [
    closedWithin('headers that never end', ['GET /healthz HTTP/1.1\r\nhost: a\r\nx-a: '], HEADERS_CLOSED_MS),
    ...routes.slice(0, 4).map((route) => {
      const head = `POST ${route} HTTP/1.1\r\nhost: a\r\n${headers}content-type: application/json\r\n`;
      return closedWithin(
        `a body that never ends to ${route}`,
        [`${head}content-length: 100\r\n\r\n{`],
        REQUEST_CLOSED_MS,
      );
    }),
  ];
}

const CROWD = 200;
/** One attacker sends 600 MB. */
const CROWD_DEADLINE_MS = 120_000;
const CROWD_BYTES = 3 * 1024 * 1024;
/** 200 such connections grew the API from 176 to 965 MB when it read bodies before it checked the signature. */
const MAX_GROWTH_MB = 200;

function crowds({ baseUrl, apiPid, patience }: World): AttackCase[] {
  const body = Buffer.alloc(CROWD_BYTES, 'x');
  return ['POST /platform/webhooks', 'POST /auth/sign-in', 'POST /agent/auth/claim'].map((route) => ({
    name: `API: ${CROWD} connections with 3 MiB each and no credential to ${route}`,
    expectation: `no 500, others are answered, and less than ${MAX_GROWTH_MB} MB more memory`,
    deadlineMs: CROWD_DEADLINE_MS,
    attempt: () =>
      withHealthWatched({ url: baseUrl, patience }, async () => {
        const beforeMb = memoryMb(apiPid);
        let mostMb = beforeMb;
        const timer = setInterval(() => (mostMb = Math.max(mostMb, memoryMb(apiPid))), 50);
        const headers = { 'content-type': 'application/json' };
        const all = Array.from({ length: CROWD }, () => call(baseUrl, route, { headers, body }).catch(() => undefined));
        const answers = await Promise.all(all);
        clearInterval(timer);
        const failed = answers.find((answer) => answer?.status === 500 || (answer?.status ?? 500) < 300);
        if (failed !== undefined) return `It answers ${failed.status}: ${failed.text}`;
        const growthMb = mostMb - beforeMb;
        return growthMb > MAX_GROWTH_MB ? `Memory grew by ${growthMb} MB.` : undefined;
      }),
  }));
}
