import ipaddr from 'ipaddr.js';

/** IANA's special-purpose and reserved blocks, and addresses that clouds serve to their own machines. */

export interface SpecialBlock {
  readonly cidr: string;
  readonly name: string;
  readonly reference: string;
}

export const specialBlocks: readonly SpecialBlock[] = [
  // IANA IPv4 Special-Purpose Address Registry. 192.0.0.0/24 includes smaller entries.
  { cidr: '0.0.0.0/8', name: 'This network', reference: 'RFC 791' },
  { cidr: '10.0.0.0/8', name: 'Private-Use', reference: 'RFC 1918' },
  { cidr: '100.64.0.0/10', name: 'Shared Address Space', reference: 'RFC 6598' },
  { cidr: '127.0.0.0/8', name: 'Loopback', reference: 'RFC 1122' },
  { cidr: '169.254.0.0/16', name: 'Link Local', reference: 'RFC 3927' },
  { cidr: '172.16.0.0/12', name: 'Private-Use', reference: 'RFC 1918' },
  { cidr: '192.0.0.0/24', name: 'IETF Protocol Assignments', reference: 'RFC 6890' },
  { cidr: '192.0.2.0/24', name: 'Documentation (TEST-NET-1)', reference: 'RFC 5737' },
  { cidr: '192.31.196.0/24', name: 'AS112-v4', reference: 'RFC 7535' },
  { cidr: '192.52.193.0/24', name: 'AMT', reference: 'RFC 7450' },
  { cidr: '192.88.99.0/24', name: 'Deprecated (6to4 Relay Anycast)', reference: 'RFC 7526' },
  { cidr: '192.168.0.0/16', name: 'Private-Use', reference: 'RFC 1918' },
  { cidr: '192.175.48.0/24', name: 'Direct Delegation AS112 Service', reference: 'RFC 7534' },
  { cidr: '198.18.0.0/15', name: 'Benchmarking', reference: 'RFC 2544' },
  { cidr: '198.51.100.0/24', name: 'Documentation (TEST-NET-2)', reference: 'RFC 5737' },
  { cidr: '203.0.113.0/24', name: 'Documentation (TEST-NET-3)', reference: 'RFC 5737' },
  { cidr: '224.0.0.0/4', name: 'Multicast', reference: 'RFC 5771' },
  { cidr: '240.0.0.0/4', name: 'Reserved, with Limited Broadcast', reference: 'RFC 1112' },
  // Public, but its agent returns certificates to virtual machines.
  { cidr: '168.63.129.16/32', name: 'Cloud wire server', reference: 'Azure virtual public IP' },

  // IANA IPv6 Special-Purpose Address Registry.
  { cidr: '::/128', name: 'Unspecified Address', reference: 'RFC 4291' },
  { cidr: '::1/128', name: 'Loopback Address', reference: 'RFC 4291' },
  { cidr: '::/96', name: 'Deprecated (IPv4-compatible)', reference: 'RFC 4291' },
  { cidr: '::ffff:0:0:0/96', name: 'IPv4-translated', reference: 'RFC 2765' },
  { cidr: '64:ff9b:1::/48', name: 'IPv4-IPv6 Translation, local', reference: 'RFC 8215' },
  { cidr: '100::/64', name: 'Discard-Only Address Block', reference: 'RFC 6666' },
  { cidr: '100:0:0:1::/64', name: 'Dummy IPv6 Prefix', reference: 'RFC 9780' },
  { cidr: '2001::/23', name: 'IETF Protocol Assignments, with TEREDO', reference: 'RFC 2928' },
  { cidr: '2001:db8::/32', name: 'Documentation', reference: 'RFC 3849' },
  { cidr: '2002::/16', name: '6to4', reference: 'RFC 3056' },
  { cidr: '2620:4f:8000::/48', name: 'Direct Delegation AS112 Service', reference: 'RFC 7534' },
  { cidr: '5f00::/16', name: 'Segment Routing (SRv6) SIDs', reference: 'RFC 9602' },
  { cidr: 'fc00::/7', name: 'Unique-Local', reference: 'RFC 4193' },
  { cidr: 'fe80::/10', name: 'Link-Local Unicast', reference: 'RFC 4291' },
  { cidr: 'fec0::/10', name: 'Deprecated (Site-Local)', reference: 'RFC 3879' },
  { cidr: 'ff00::/8', name: 'Multicast', reference: 'RFC 4291' },
  // IANA IPv6 Global Unicast Address Assignments: reserved. Includes 3ffe::/16 (6bone, RFC 3701) and 3fff::/20
  // (documentation, RFC 9637).
  { cidr: '2d00::/8', name: 'Reserved', reference: 'RFC 4291' },
  { cidr: '2e00::/7', name: 'Reserved', reference: 'RFC 4291' },
  { cidr: '3000::/4', name: 'Reserved, with 6bone and Documentation', reference: 'RFC 4291' },
];

type Address = ReturnType<typeof ipaddr.process>;

const blocksV4 = specialBlocks.flatMap(({ cidr }) => (cidr.includes(':') ? [] : [ipaddr.IPv4.parseCIDR(cidr)]));
const blocksV6 = specialBlocks.flatMap(({ cidr }) => (cidr.includes(':') ? [ipaddr.IPv6.parseCIDR(cidr)] : []));

/** Checks an IPv4-mapped IPv6 address as IPv6. */
export function isSpecialAddress(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return blocksV4.some((block) => address.match(block));
  return blocksV6.some((block) => address.match(block));
}
