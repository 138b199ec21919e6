import type { AttackCase, AttackClass } from './attack-case.ts';
import { call, type CallOptions } from './http-call.ts';
import { refusalProblem } from './judge.ts';
import type { World } from './world.ts';

/** Ways around the scope of a channel token: other objects, other paths, other methods, other credentials. */
export const gateway: AttackClass = {
  name: 'gateway',
  concurrency: 4,
  missing: ({ gatewayUrl, held }) =>
    gatewayUrl === undefined || held === undefined ? 'there is no gateway or no channel token' : undefined,
  cases: (world) => [
    ...foreignPaths(world),
    ...otherPaths(world),
    ...parameters(world),
    ...references(world),
    ...multipart(world),
    ...credentials(world),
  ],
};

interface Held {
  readonly url: string;
  readonly own: string;
  readonly foreign: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly page: string;
}

const VERSION = '/platform/v25.0';

function heldBy({ gatewayUrl = '', held, foreignResourceId = '300000000000099' }: World): Held {
  const { token = '', resourceId = '' } = held ?? {};
  const headers = { authorization: `Bearer ${token}` };
  return { url: gatewayUrl, own: resourceId, foreign: foreignResourceId, headers, page: `${VERSION}/${resourceId}` };
}

function refused(
  { url, headers }: Held,
  route: string,
  options: CallOptions & { readonly name?: string } = {},
): AttackCase {
  const { name = route, ...rest } = options;
  return {
    name: name.length > 160 ? `${name.slice(0, 160)}…` : name,
    expectation: 'a refusal with the Error object',
    attempt: async () => refusalProblem(await call(url, route, { ...rest, headers: { ...headers, ...rest.headers } })),
  };
}

const edges = [
  '',
  '/messages',
  '/feed',
  '/comments',
  '/photos',
  '/conversations',
  '/insights',
  '/media',
  '/roles',
  '/accounts',
];
const methods = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];

function foreignPaths(world: World): AttackCase[] {
  const held = heldBy(world);
  const { foreign } = held;
  const objects = [
    foreign,
    `${foreign}_1`,
    `t_${foreign}`,
    `${held.own}0`,
    `0${held.own}`,
    'me',
    'search',
    'debug_token',
    'oauth',
    'app',
  ];
  return objects.flatMap((object) =>
    edges.flatMap((edge) =>
      methods.map((method) => {
        const json = method === 'POST' || method === 'PUT' || method === 'PATCH';
        return refused(held, `${method} ${VERSION}/${object}${edge}`, json ? { body: { message: 'x' } } : {});
      }),
    ),
  );
}

/** Paths that one reader cuts differently from the next. */
function otherPaths(world: World): AttackCase[] {
  const held = heldBy(world);
  const { own, foreign } = held;
  const tails = [
    ...[`${own}/../${foreign}`, `${own}/%2e%2e/${foreign}`, `${own}%2f..%2f${foreign}`, `${foreign}%2F..%2F${own}`],
    ...[`./${foreign}`, `/${foreign}`, `${own}//feed`, `${own}/./feed`, `${own}%00`, `${own};x=1`, `${own}%3Ffields=x`],
    ...[
      `${own}%23`,
      `${own}%5Cfeed`,
      `${own}\\feed`,
      `${own}%252Ffeed`,
      `${own}%zz`,
      `${own},${foreign}`,
      `${own}%2C${foreign}`,
    ],
    ...[
      `?ids=${foreign}`,
      `?id=${foreign}`,
      `${own}/feed/${foreign}`,
      `${own}/feed/../../${foreign}/feed`,
      `%6d%65`,
      `${own}%20`,
    ],
    ...[
      `${own}.json`,
      `${own}/`,
      `${own}#${foreign}`,
      `${own}@${foreign}`,
      `${own}:80`,
      `＠${foreign}`,
      `..;/${foreign}`,
    ],
  ];
  const whole = [
    '/platform',
    '/platform/',
    '/platform/v25.0',
    `/platform/v1.0/${own}`,
    `/platform//v25.0/${own}`,
    `/v25.0/${own}`,
  ];
  const absolute = [`http://${foreign}.example.com/`, `http://127.0.0.1:1${held.page}`, `//127.0.0.1${held.page}`];
  return [...tails.map((tail) => `${VERSION}/${tail}`), ...whole, ...absolute]
    .filter((path) => !/[^\u0021-\u00ff]/.test(path))
    .flatMap((path) => ['GET', 'POST', 'DELETE'].map((method) => refused(held, `${method} ${path}`)));
}

/** Parameters that reach around the path, in the query, a form and JSON. */
function parameters(world: World): AttackCase[] {
  const held = heldBy(world);
  const { foreign } = held;
  const refusedNames: readonly (readonly [string, string])[] = [
    ...['ids', 'id', 'batch', 'include', 'include_headers', 'relative_url', 'method', '_method', 'http_method'],
    ...['metadata', 'debug', 'callback', 'jsonp', 'input_token', 'client_id', 'client_secret', 'grant_type'],
    ...['access_token', 'appsecret_proof', 'appsecret_time', 'fb_exchange_token', 'app_secret'],
  ].map((name) => [name, name === 'method' ? 'DELETE' : foreign]);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return refusedNames.flatMap(([name, value]) =>
    spellings(name).flatMap((spelled) => [
      refused(held, `GET ${held.page}?${spelled}=${value}`),
      refused(held, `POST ${held.page}/feed?${spelled}=${value}`, { body: { message: 'x' } }),
      refused(held, `POST ${held.page}/feed`, {
        body: `message=x&${spelled}=${value}`,
        headers: form,
        name: `a form with ${spelled}`,
      }),
      refused(held, `POST ${held.page}/feed`, {
        body: { message: 'x', [decoded(spelled)]: value },
        name: `JSON with ${spelled}`,
      }),
    ]),
  );
}

function spellings(name: string): string[] {
  const shouted = name.toUpperCase();
  return [
    ...[
      name,
      shouted,
      `${name}[]`,
      `${name}[0]`,
      `${name}%5B%5D`,
      `${name}[a][b]`,
      `${name}[`,
      `%20${name}`,
      `${name}%20`,
      `+${name}`,
    ],
    ...(name.includes('_')
      ? [name.replaceAll('_', '.'), name.replaceAll('_', '%20'), name.replaceAll('_', '+'), name.replaceAll('_', '[')]
      : []),
    `${name}%00`,
    [...name].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  ];
}

const decoded = (name: string): string => decodeURIComponent(name.replaceAll('+', ' '));

/** Bodies of the own Page that name objects of others. */
function references(world: World): AttackCase[] {
  const held = heldBy(world);
  const { foreign } = held;
  const post = `${foreign}_1`;
  const bodies: readonly unknown[] = [
    ...[
      'comment_id',
      'post_id',
      'creation_id',
      'media_id',
      'object_id',
      'parent_id',
      'video_id',
      'page_id',
      'thread_id',
    ].flatMap((name) => [
      { [name]: post },
      { [name]: [post] },
      { [name.toUpperCase()]: post },
      { [`${name}[0]`]: post },
    ]),
    ...[{ comment_id: post }, { post_id: post }, { thread_key: `t_${foreign}` }].flatMap((recipient) => [
      { recipient },
      { recipient: JSON.stringify(recipient) },
      { recipient: JSON.stringify(JSON.stringify(recipient)) },
      { recipient: [recipient] },
    ]),
    { attached_media: [{ media_fbid: post }] },
    { attached_media: JSON.stringify([{ media_fbid: post }]) },
    { 'attached_media[0]': { media_fbid: post } },
    { 'recipient[comment_id]': post },
    { recipient: `{'comment_id':'${post}'}` },
    { recipient: `{"comment\\u005fid":"${post}"}` },
    { children: [post] },
    { object_attachment: post },
    { recipient: { comment_id: { $numberLong: post } } },
  ];
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return bodies.flatMap((body) => {
    const told = JSON.stringify(body);
    const entries = Object.entries(body as Record<string, unknown>);
    const text = entries.map(
      ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    return ['messages', 'feed'].flatMap((edge) => [
      refused(held, `POST ${held.page}/${edge}`, {
        body: { message: 'x', ...(body as object) },
        name: `${edge}, JSON ${told}`,
      }),
      refused(held, `POST ${held.page}/${edge}`, {
        body: `message=x&${text.join('&')}`,
        headers: form,
        name: `${edge}, form ${told}`,
      }),
    ]);
  });
}

/** Headers of a part that readers of forms disagree about, each carrying a name that is refused. */
function multipart(world: World): AttackCase[] {
  const held = heldBy(world);
  const names = ['access_token', 'method', 'ids', 'batch', 'post_id'];
  const dispositions = names.flatMap((name) => [
    ...[`name="${name}"`, `name=${name}`, `name='${name}'`, `name="${name}`, `name=" ${name}"`, `name="${name}[]"`],
    ...[
      `name="\\${name}"`,
      `name="${name.slice(0, 2)}\\${name.slice(2)}"`,
      `name="x"; name="${name}"`,
      `name="${name}"; name="x"`,
    ],
    ...[
      `name*=utf-8''${name}`,
      `name="x"; name*=utf-8''${name}`,
      `name*0="${name.slice(0, 3)}"; name*1="${name.slice(3)}"`,
    ],
    ...[
      `NAME="${name}"`,
      `name ="${name}"`,
      `name= "${name}"`,
      `filename="x"; name="${name}"`,
      `filename="; name=x"; name="${name}"`,
    ],
    ...[`name="${name}\0"`, `name="x\\"; name="${name}"`, `name="${name.toUpperCase()}"`],
  ]);
  return dispositions.flatMap((disposition) =>
    [`content-disposition: form-data; ${disposition}`, `Content-Disposition:form-data;${disposition}`].map((header) => {
      const body = `--b\r\n${header}\r\n\r\nDELETE\r\n--b--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      return refused(held, `POST ${held.page}/photos`, {
        body,
        headers,
        name: `a part with ${JSON.stringify(header)}`,
      });
    }),
  );
}

/** Credentials of other kinds, tokens in other places, and headers that belong to the connection. */
function credentials(world: World): AttackCase[] {
  const held = heldBy(world);
  const route = `GET ${held.page}`;
  const token = world.held?.token ?? '';
  const others = [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${world.apiKey}`,
    `bearer  ${token}x`,
    `Bearer hmat_${'x'.repeat(43)}`,
  ];
  const nobody: Held = { ...held, headers: {} };
  return [
    ...others.map((authorization) =>
      refused(nobody, route, {
        headers: { authorization },
        name: `the credential ${JSON.stringify(authorization.slice(0, 20))}`,
      }),
    ),
    ...['access_token', 'token', 'authorization'].map((name) => refused(nobody, `${route}?${name}=${token}`)),
    ...['cookie', 'x-authorization', 'x-access-token', 'proxy-authorization'].map((name) =>
      refused(nobody, route, { headers: { [name]: `Bearer ${token}` }, name: `the token in ${name}` }),
    ),
    ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) =>
      refused(held, route, { headers: { [name]: 'DELETE' }, name: `${name}: DELETE` }),
    ),
  ];
}
