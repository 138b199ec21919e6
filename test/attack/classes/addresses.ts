import { isAllowed } from '../../../contract/addresses/classify-address.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { call } from '../cases/http-call.ts';
import { refusalProblem } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';

const forbiddenV4 = [
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '169.254.170.2', '100.100.100.200'],
];
const forbiddenV6 = [
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2001::1', '3ffe::1'],
  ...['100::1', '2001:10::1', '2001:20::1', '5f00::1', 'fec0::1', '64:ff9b:1::1', '3ffe:831f::1'],
];

const metadataHosts = [
  ...['metadata', 'metadata.google.internal', 'metadata.google.internal.', 'METADATA.google.internal'],
  ...['metadata.goog', 'metadata.azure.internal', 'instance-data', 'instance-data.ec2.internal'],
];
const localHosts = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'localhost.localdomain',
  'ⓛocalhost',
  'localhost。',
];
const refusedForms = [
  ...['https://user@example.com/', 'https://user:password@example.com/', 'https://example.com:22/'],
  ...['https://example.com:25/', 'https://example.com:5432/', 'https://example.com:6379/', 'https://example.com:0/'],
  ...[
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:,x',
    '//example.com/',
  ],
  ...['https:\\\\example.com\\', 'https://exa mple.com/', 'https://example.com/\u0000', 'https://example.com/\r\nx: y'],
  ...['https://[::1', 'https://example.com:99999/', 'https://%00/', 'https://example.com%2f@127.0.0.1/', 'https:///'],
  ...[`https://example.com/${'x'.repeat(3_000)}`, 'https://', 'unix:/var/run/docker.sock', 'ws://example.com/'],
];

export const addresses: AttackClass = {
  name: 'addresses',
  concurrency: 4,
  cases: (world) => urlsFor(world).flatMap((url) => placesFor(world, url)),
};

function urlsFor({ allowedCidrs }: World): string[] {
  const isClosed = (ip: string): boolean => !isAllowed(ip, allowedCidrs);
  const hosts = [
    ...forbiddenV4.filter(isClosed).flatMap((ip) => [...spellings(ip), ...wrapped(ip)]),
    ...forbiddenV6.filter(isClosed).flatMap((ip) => [`[${ip}]`, `[${ip.toUpperCase()}]`]),
    ...metadataHosts,
    ...(isClosed('127.0.0.1') && isClosed('::1') ? localHosts : []),
  ];
  return [...new Set(hosts)].map((host) => `https://${host}/hook`).concat(refusedForms);
}

/** Decimal, octal, hexadecimal, short, with a trailing dot, in other scripts. */
function spellings(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const octal = (part: number): string => `0${part.toString(8)}`;
  const hex = (part: number): string => `0x${part.toString(16)}`;
  return [
    ...[ip, `${ip}.`, `${ip}:443`, String(whole), hex(whole), octal(whole), `${a}.${b}.${c * 256 + d}`],
    ...[`${a}.${(b * 256 + c) * 256 + d}`, [a, b, c, d].map(octal).join('.'), [a, b, c, d].map(hex).join('.')],
    ...[ip.replaceAll('.', '。'), ip.replaceAll('.', '．'), ip.replaceAll('.', '%2e'), fullWidth(ip), circled(ip)],
  ];
}

const fullWidth = (ip: string): string => ip.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (ip: string): string => ip.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit)));

/** Mapped, compatible, translated, NAT64 and 6to4. */
function wrapped(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  const half = (high: number, low: number): string => (high * 256 + low).toString(16);
  const words = `${half(a, b)}:${half(c, d)}`;
  return [
    ...[`[::ffff:${ip}]`, `[::ffff:${words}]`, `[0:0:0:0:0:ffff:${words}]`, `[::${ip}]`, `[::ffff:0:${words}]`],
    ...[`[64:ff9b::${ip}]`, `[64:ff9b::${words}]`, `[64:ff9b:1::${words}]`, `[2002:${words}::1]`],
  ];
}

function placesFor(world: World, url: string): AttackCase[] {
  const { baseUrl, own, apiKey } = world;
  const { channelId } = own;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': own.workspaceId };
  const places: readonly (readonly [string, unknown])[] = [
    [`PUT /webhook-config/${channelId}`, { webhookUrl: url, verifyToken: 'attack-token' }],
    [`POST /channels/${channelId}/subscriptions`, { url, events: ['chatapp.message.received'] }],
    [`POST /channels/${channelId}/photoapp/containers`, { mediaType: 'IMAGE', imageUrl: url }],
  ];
  return places.map(([route, body]) => ({
    name: `${route.split('/')[1]} ${route.split('/').at(-1)} at ${JSON.stringify(url).slice(1, 81)}`,
    expectation: 'URL_NOT_ALLOWED or VALIDATION_ERROR',
    attempt: async () => {
      const answer = await call(baseUrl, route, { headers, body });
      const problem = refusalProblem(answer);
      if (problem !== undefined) return problem;
      const isByForm = [400, 422].includes(answer.status) && /"(URL_NOT_ALLOWED|VALIDATION_ERROR)"/.test(answer.text);
      return isByForm ? undefined : `It is not refused for its form: ${answer.text}`;
    },
  }));
}
