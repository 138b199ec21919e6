import { routes } from '../../../openapi/route-table.ts';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { type Answer, call } from '../cases/http-call.ts';
import { failureProblem } from '../cases/response-problems.ts';
import { withHealthWatched } from '../cases/with-health-watched.ts';
import type { World } from '../cases/world.ts';

/** No input may cause a failure or block the process. */
export const parsers: AttackClass = {
  name: 'parsers',
  // Sequential, so that a stall belongs to the running case.
  concurrency: 1,
  cases: (world) => [...gatewayShapes(world), ...nulBytes(world), ...bodies(world), ...headerShapes(world)],
};

/** Repeated parts that make ambiguous regular expressions backtrack. */
const pieces = [
  ...['a', ',', '.', '(', ')', '{', '}', '{}', '[', ']', '"', "'", ' ', '\t', '_', '-', '@', '|', ':', ';', '%20', '+'],
  ...[
    'a,',
    'a{',
    'a.b(',
    '.as(',
    '.limit(1',
    '.limit(1)',
    'a{b}',
    '.fields(',
    '. as (',
    'a .',
    '""',
    '"(',
    '[0]',
    '\\',
  ],
  ...['é', '%00', 'access_token', 'id{', '{id', 'comments{', '.a(b.a(', '()', ')(', '}{', '. ', '\u00a0', '\u2028'],
];
const sizes = [10_000, 100_000, 1_000_000];
/** Leaves room for the other headers. */
const MAX_QUERY_BYTES = 12_000;
/** Statuses of an unavailable upstream, which is not under test. */
const BEYOND = [502, 503, 504];

function gatewayShapes(world: World): AttackCase[] {
  const { gatewayUrl, held, patience } = world;
  if (gatewayUrl === undefined || held === undefined) return [];
  const path = `/platform/v25.0/${held.resourceId}`;
  const headers = { authorization: `Bearer ${held.token}` };
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const json = { ...headers, 'content-type': 'application/json' };
  const send = (name: string, route: string, options: Parameters<typeof call>[2]): AttackCase =>
    watched({ url: gatewayUrl, patience }, name, () => call(gatewayUrl, route, options));
  return sizes.flatMap((size) =>
    pieces.flatMap((piece) => {
      const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
      const told = `${size} bytes of ${JSON.stringify(piece)}`;
      const encoded = encodeURIComponent(text);
      return [
        ...(encoded.length > MAX_QUERY_BYTES
          ? []
          : [
              send(`fields in the query: ${told}`, `GET ${path}?fields=${encoded}`, { headers }),
              send(`a name in the query: ${told}`, `GET ${path}?${encoded}=1`, { headers }),
            ]),
        send(`fields in a form: ${told}`, `POST ${path}/feed`, { headers: form, body: `message=x&fields=${encoded}` }),
        send(`a name in a form: ${told}`, `POST ${path}/feed`, { headers: form, body: `message=x&${encoded}=1` }),
        send(`fields in JSON: ${told}`, `POST ${path}/feed`, { headers: json, body: JSON.stringify({ fields: text }) }),
        send(`a name in JSON: ${told}`, `POST ${path}/feed`, { headers: json, body: JSON.stringify({ [text]: 1 }) }),
        send(`a text in JSON: ${told}`, `POST ${path}/messages`, { headers: json, body: { recipient: text } }),
      ];
    }),
  );
}

interface Watched {
  readonly url: string;
  readonly patience?: number | undefined;
}

function watched(at: Watched, name: string, ask: () => Promise<Answer>): AttackCase {
  const attempt = (): Promise<string | undefined> =>
    withHealthWatched(at, async () => failureProblem(await ask(), BEYOND));
  return { name, expectation: 'an answer below 500, and /healthz in time during the call', attempt };
}

/** PostgreSQL can't store a NUL. */
function nulBytes(world: World): AttackCase[] {
  const { baseUrl, apiKey, own } = world;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': own.workspaceId };
  const send = (name: string, route: string, body?: unknown): AttackCase => ({
    name,
    expectation: 'an answer below 500',
    attempt: async () => failureProblem(await call(baseUrl, route, { headers, body }), BEYOND),
  });
  const asked = routes.filter(({ access, eventStream }) => access.auth === 'credential' && eventStream === undefined);
  return asked.flatMap((route) => {
    const line = lineOf(route, own);
    const queries = Object.keys(route.query?.shape ?? {}).flatMap((key) =>
      route.method === 'get'
        ? ['%00', 'a%00b', '%C0%80', '%ED%A0%80'].map((bytes) =>
            send(`${key}=${bytes} of ${route.operationId}`, `${line}?${key}=${bytes}`),
          )
        : [],
    );
    if (route.body === undefined || route.upload !== undefined) return queries;
    const body = sampleOf(route.body);
    const strings = pathsOfStrings(body).flatMap((path) =>
      ['\0', 'a\0b', '\ud800'].map((text) =>
        send(`${JSON.stringify(text)} as ${path.join('.')} of ${route.operationId}`, line, replaced(body, path, text)),
      ),
    );
    return [...queries, ...strings];
  });
}

function lineOf({ method, path, parameters }: RouteDefinition, own: World['own']): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => own.id(parameters[name]!.kind));
  return `${method.toUpperCase()} ${filled}`;
}

type Path = readonly (string | number)[];

function pathsOfStrings(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsOfStrings(inner, [...path, key]));
}

function replaced(value: unknown, [first, ...rest]: Path, text: string): unknown {
  if (first === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === String(first) ? replaced(item, rest, text) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [first]: replaced(object[String(first)], rest, text) };
}

function bodies({ baseUrl, apiKey, own, patience }: World): AttackCase[] {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'x-workspace-id': own.workspaceId,
  };
  const shapes: readonly (readonly [string, string | Uint8Array])[] = [
    ...[1_000, 10_000, 100_000].flatMap((depth) => [
      [`${depth} arrays deep`, '['.repeat(depth) + ']'.repeat(depth)] as const,
      [`${depth} objects deep`, '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)] as const,
      [`${depth} arrays left open`, `{"name":${'['.repeat(depth)}`] as const,
    ]),
    ...['1e400', '-1e400', '9'.repeat(100_000), `0.${'0'.repeat(100_000)}1`, '1e-400', '-0'].map(
      (number) => [`the number ${number.slice(0, 12)}`, `{"name":${number}}`] as const,
    ),
    ['a key a thousand times', `{${Array.from({ length: 1_000 }, () => '"name":"x"').join()}}`],
    ['100,000 keys', `{${Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`).join()}}`],
    ['__proto__', '{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}'],
    ['a byte order mark', '\ufeff{"name":"x"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['1 MB of spaces', ' '.repeat(1_000_000)],
    ['1 MB of quotes', '"'.repeat(1_000_000)],
    ['1 MB of backslashes', `{"name":"${'\\'.repeat(999_990)}"}`],
    ['an empty body', ''],
    ['a bare null', 'null'],
  ];
  const targets = ['POST /auth/sign-in', `PATCH /organizations/${own.organizationId}`, 'POST /mcp', 'POST /replays'];
  return targets.flatMap((route) =>
    shapes.map(([shape, body]) =>
      watched({ url: baseUrl, patience }, `${route} with ${shape}`, () => call(baseUrl, route, { headers, body })),
    ),
  );
}

function headerShapes({ baseUrl, apiKey, patience }: World): AttackCase[] {
  const authorization = `Bearer ${apiKey}`;
  const shapes: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['a credential of 12 KB', { authorization: `Bearer ${'x'.repeat(12_000)}` }],
    ['a JWT of 12 KB', { authorization: `Bearer ${'e'.repeat(4_000)}.${'y'.repeat(4_000)}.${'J'.repeat(4_000)}` }],
    ['spaces before the credential', { authorization: `Bearer${' '.repeat(10_000)}x` }],
    ['cookies of 12 KB', { cookie: Array.from({ length: 3_000 }, (_, n) => `a${n % 10}=`).join('; ') }],
    ['a cookie of signs', { cookie: '=;'.repeat(5_000) }],
    ['a session cookie without end', { cookie: `__Host-service_session=${'x'.repeat(12_000)}` }],
    ['a long request id', { authorization, 'x-request-id': 'a'.repeat(12_000) }],
    ['a long list of media types', { authorization, accept: 'a/b;q=0.1,'.repeat(1_200) }],
    ['a long workspace', { authorization, 'x-workspace-id': 'ws_'.repeat(4_000) }],
    ['forwarded addresses', { authorization, 'x-forwarded-for': '1.2.3.4, '.repeat(1_300) }],
    ['a strange range', { authorization, range: `bytes=${'0-0,'.repeat(3_000)}` }],
    ['ETags', { authorization, 'if-none-match': 'W/"a", '.repeat(1_800) }],
  ];
  return ['GET /platform/channels', 'GET /auth/session', 'GET /dashboard/'].flatMap((route) =>
    shapes.map(([shape, headers]) =>
      watched({ url: baseUrl, patience }, `${route} with ${shape}`, () => call(baseUrl, route, { headers })),
    ),
  );
}
