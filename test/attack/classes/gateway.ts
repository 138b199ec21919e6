import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { multipart, references } from './gateway-bodies.ts';
import { type Held, heldBy, refused, VERSION } from './gateway-call.ts';
import type { World } from '../cases/world.ts';

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

/** Returns path tails that some parsers resolve to another account. */
function tailsThatLeadElsewhere({ own, foreign }: Held): string[] {
  return [
    ...[`${own}/../${foreign}`, `${own}/%2e%2e/${foreign}`, `${own}%2f..%2f${foreign}`, `${foreign}%2F..%2F${own}`],
    ...[`./${foreign}`, `/${foreign}`, `${own}//feed`, `${own}/./feed`, `${own}%00`, `${own};x=1`, `${own}%3Ffields=x`],
    ...[`${own}%23`, `${own}%5Cfeed`, `${own}\\feed`, `${own}%252Ffeed`, `${own}%zz`, `${own},${foreign}`],
    ...[`${own}%2C${foreign}`, `?ids=${foreign}`, `?id=${foreign}`, `${own}/feed/${foreign}`, `%6d%65`, `${own}%20`],
    ...[`${own}/feed/../../${foreign}/feed`, `${own}.json`, `${own}/`, `${own}#${foreign}`, `${own}@${foreign}`],
    ...[`${own}:80`, `..;/${foreign}`],
  ];
}

function otherPaths(world: World): AttackCase[] {
  const held = heldBy(world);
  const { own, foreign } = held;
  const tails = tailsThatLeadElsewhere(held);
  const whole = [
    '/platform',
    '/platform/',
    '/platform/v25.0',
    `/platform/v1.0/${own}`,
    `/platform//v25.0/${own}`,
    `/v25.0/${own}`,
  ];
  const absolute = [`http://${foreign}.example.com/`, `http://127.0.0.1:1${held.page}`, `//127.0.0.1${held.page}`];
  return [...tails.map((tail) => `${VERSION}/${tail}`), ...whole, ...absolute].flatMap((path) =>
    ['GET', 'POST', 'DELETE'].map((method) => refused(held, `${method} ${path}`)),
  );
}

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
