import test from 'ava';
import fc from 'fast-check';
import {
  addressBlock,
  addressNetwork,
  classifyAddress,
  isAllowed,
  parseCidrs,
} from '../../../contract/addresses/classify-address.ts';

const forbiddenV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
] as const;

/** Leading bits in hexadecimal, and their number. */
const forbiddenV6 = [
  ['00000000000000000000000000000000', 127],
  ['00000000000000000000ffff7f000000', 104],
  ['00000000000000000000ffff0a000000', 104],
  ['0000000000000000ffff000000000000', 96],
  ['0064ff9b00000000000000000a000000', 104],
  ['0064ff9b0000000000000000a9fea9fe', 128],
  ['0064ff9b000100000000000000000000', 48],
  ['01000000000000000000000000000000', 64],
  ['20010000000000000000000000000000', 23],
  ['20010db8000000000000000000000000', 32],
  ['20020000000000000000000000000000', 16],
  ['3fff0000000000000000000000000000', 20],
  ['40000000000000000000000000000000', 2],
  ['5f000000000000000000000000000000', 16],
  ['80000000000000000000000000000000', 1],
  ['fc000000000000000000000000000000', 7],
  ['fd000ec2000000000000000000000254', 128],
  ['fe800000000000000000000000000000', 10],
  ['fec00000000000000000000000000000', 10],
  ['ff000000000000000000000000000000', 8],
] as const;

const bits = (width: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n });

function v4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function v6(value: bigint): string {
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  return groups.join(':');
}

function v4Number(ip: string): bigint {
  return ip.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function within(base: bigint, freeBits: number, random: bigint): bigint {
  const mask = (1n << BigInt(freeBits)) - 1n;
  return (base & ~mask) | (random & mask);
}

test('every address of a forbidden IPv4 block is forbidden, IPv4-mapped too', (t) => {
  for (const [base, prefix] of forbiddenV4) {
    fc.assert(
      fc.property(bits(32), (random) => {
        const value = within(v4Number(base), 32 - prefix, random);
        const clothes = [0xffffn << 32n, 0x64ff9bn << 96n, 0n, 0xffffn << 48n].map((outer) => v6(outer | value));
        return [v4(value), ...clothes].every((ip) => classifyAddress(ip) === 'forbidden');
      }),
    );
  }
  t.pass();
});

test('every address of a forbidden IPv6 block is forbidden', (t) => {
  for (const [base, prefix] of forbiddenV6) {
    fc.assert(
      fc.property(bits(128), (random) => {
        return classifyAddress(v6(within(BigInt(`0x${base}`), 128 - prefix, random))) === 'forbidden';
      }),
    );
  }
  t.pass();
});

test('addresses of known public networks are public', (t) => {
  const networks = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.0', '100.63.255.255'];
  networks.push('100.128.0.0', '11.0.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '223.255.255.255');
  networks.push('2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '2001:4860:4860::8888', '2001:200::1', '2003::1');
  networks.push('::ffff:8.8.8.8', '64:ff9b::8.8.8.8');
  for (const ip of networks) t.is(classifyAddress(ip), 'public', ip);
});

test('IPv4 addresses outside of every special block are public', (t) => {
  // Public, but used by network services and not a destination.
  const refusedBesides = [
    ['192.175.48.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
  ] as const;
  const isSpecial = (value: bigint) =>
    [...forbiddenV4, ...refusedBesides].some(([base, prefix]) => within(v4Number(base), 32 - prefix, value) === value);
  fc.assert(
    fc.property(bits(32), (value) => (classifyAddress(v4(value)) === 'forbidden') === isSpecial(value)),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('text that is not a plain address is forbidden', (t) => {
  for (const text of ['', 'example.com', '1.1.1', '0x1.1.1.1', '01.1.1.1', '1', '1.1.1.1/32', '2606:4700::1%eth0']) {
    t.is(classifyAddress(text), 'forbidden', text);
  }
});

test('an allowed block allows only its own addresses', (t) => {
  const cidrs = parseCidrs('127.0.0.0/8, 10.1.2.3\nfd00::/8 ::1/128');
  for (const ip of ['127.0.0.1', '127.255.255.255', '::ffff:127.0.0.1', '10.1.2.3', 'fd12::1', '::1']) {
    t.true(isAllowed(ip, cidrs), ip);
  }
  for (const ip of ['128.0.0.1', '10.1.2.4', 'fc00::1', '::2', '8.8.8.8', 'localhost', '']) {
    t.false(isAllowed(ip, cidrs), ip);
  }
});

test('an IPv4-mapped block equals its IPv4 block', (t) => {
  const cidrs = parseCidrs('::ffff:10.0.0.0/104');
  t.true(isAllowed('10.9.9.9', cidrs));
  t.false(isAllowed('11.0.0.0', cidrs));
  t.true(isAllowed('11.0.0.0', parseCidrs('::ffff:0.0.0.0/96')));
});

test('an empty list of blocks allows nothing', (t) => {
  t.deepEqual(parseCidrs('  '), []);
  t.false(isAllowed('127.0.0.1', []));
});

test('the error for an invalid block names it', (t) => {
  for (const entry of [
    '10/8',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'loopback',
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.0/95',
  ]) {
    const message = `Invalid address block '${entry}'. Use a form such as 10.0.0.0/8 or fd00::/8.`;
    t.throws(() => parseCidrs(`127.0.0.1 ${entry}`), { message });
  }
});

test('a client is identified by its IPv4 address or IPv6 blocks', (t) => {
  for (const [ip, block, network] of [
    ['192.0.2.1', '192.0.2.1', undefined],
    ['::ffff:192.0.2.1', '192.0.2.1', undefined],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:1::', '2001:db8:1::/64', '2001:db8:1::/48'],
    ['unknown', 'unknown', undefined],
  ] as const) {
    t.is(addressBlock(ip), block);
    t.is(addressNetwork(ip), network);
  }
});
