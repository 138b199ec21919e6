import test from 'ava';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { classifyAddress } from '../../../contract/addresses/classify-address.ts';
import { checkUrl } from '../../../contract/addresses/check-url.ts';
import { specialBlocks } from '../../../contract/addresses/special-addresses.ts';
import { createTargets } from '../../../egress/target.ts';

const strict = { allowHttp: false, allow: [] };
const targetOf = createTargets(strict);

interface Block {
  readonly first: bigint;
  readonly freeBits: number;
}

function blockOf(cidr: string): Block {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const bytes = address.toByteArray();
  const first = BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  return { first, freeBits: bytes.length * 8 - prefix };
}

function samplesOf({ first, freeBits }: Block): bigint[] {
  const last = (1n << BigInt(freeBits)) - 1n;
  return [...new Set([first, first | (last / 3n), first | last])];
}

const groups = (value: bigint): string[] => value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
const v6 = (value: bigint): string => groups(value).join(':');
const octetsOf = (value: bigint): number[] => [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 255n));
const dotted = (value: bigint): string => octetsOf(value).join('.');

/** Other spellings that a URL parser reads as the IPv4 address. */
function hostsOfV4(value: bigint): string[] {
  const [a, b, c, d] = octetsOf(value) as [number, number, number, number];
  const hex = (part: number) => `0x${part.toString(16)}`;
  const octal = (part: number) => `0${part.toString(8)}`;
  return [
    dotted(value),
    `${dotted(value)}.`,
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, octal(b), hex(c), d].join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${value}`,
    `0x${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    dotted(value).replaceAll('.', '。'),
    dotted(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted(value).replace(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** Mapped, compatible, translated, NAT64, local NAT64, 6to4 and Teredo. */
function embeddings(value: bigint): string[] {
  const high = (value >> 16n).toString(16);
  const low = (value & 0xffffn).toString(16);
  const hidden = 0xffffffffn ^ value;
  return [
    `::ffff:${dotted(value)}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:FFFF:${high}:${low}`,
    `::${dotted(value)}`,
    `::ffff:0:${dotted(value)}`,
    `64:ff9b::${dotted(value)}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${dotted(value)}`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${(hidden >> 16n).toString(16)}:${(hidden & 0xffffn).toString(16)}`,
  ];
}

function spellingsOfV6(value: bigint): string[] {
  const short = new ipaddr.IPv6(groups(value).map((group) => Number.parseInt(group, 16))).toString();
  return [short, v6(value), v6(value).toUpperCase(), short.toUpperCase()];
}

/** Returns the hosts that any check on the way to a connection accepts. */
function letThrough(hosts: readonly string[]): string[] {
  return hosts.filter((host) => {
    const url = `https://${host}/hook`;
    return checkUrl(url, strict).ok || targetOf(url).isAllowed;
  });
}

const publicAmong = (addresses: readonly string[]): string[] =>
  addresses.filter((address) => classifyAddress(address) === 'public');

for (const { cidr, name } of specialBlocks) {
  const isV6 = cidr.includes(':');
  test(`every spelling of ${cidr} is refused: ${name}`, (t) => {
    for (const value of samplesOf(blockOf(cidr))) {
      const embedded = isV6 ? spellingsOfV6(value) : embeddings(value);
      t.deepEqual(publicAmong(isV6 ? embedded : [dotted(value), ...embedded]), []);
      t.deepEqual(letThrough(embedded.map((address) => `[${address}]`)), []);
      if (!isV6) t.deepEqual(letThrough(hostsOfV4(value)), []);
    }
  });
}

test('addresses of cloud metadata services are refused', (t) => {
  const addresses = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'];
  addresses.push('fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fe80::a9fe:a9fe');
  t.deepEqual(publicAmong(addresses), []);
});

test('addresses next to a special block are public', (t) => {
  const addresses = ['168.63.129.15', '168.63.129.17', '198.17.255.255', '198.20.0.0', '223.255.255.255'];
  addresses.push('2001:200::', '2001:db7:ffff::1', '2001:db9::', '2003::', '2620:4f:7fff::1', '2620:4f:8001::');
  addresses.push('2c0f:ffff::1', '64:ff9b::168.63.129.17');
  t.deepEqual(publicAmong(addresses), addresses);
});

test('the table contains all special blocks of the address library', (t) => {
  const bits = (width: bigint) => fc.bigInt({ min: 0n, max: (1n << width) - 1n });
  const isKnown = (address: string) =>
    ipaddr.parse(address).range() === 'unicast' ? true : classifyAddress(address) === 'forbidden';
  fc.assert(fc.property(bits(32n).map(dotted), isKnown), { numRuns: 5_000 });
  fc.assert(
    fc.property(bits(125n), (rest) => isKnown(v6((1n << 125n) | rest))),
    { numRuns: 5_000 },
  );
  t.pass();
});
