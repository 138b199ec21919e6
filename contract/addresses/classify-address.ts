import ipaddr from 'ipaddr.js';
import { isSpecialAddress } from './special-addresses.ts';

/**
 * Decides which addresses a destination can have. Checks parsed bytes instead of text, because an address has many
 * spellings. Every address that is not known to be public is forbidden.
 */

type Address = ReturnType<typeof ipaddr.process>;
export type Cidr = readonly [Address, number];
export type AddressClass = 'public' | 'forbidden';

/** Addresses outside of IPv6 global unicast are local, reserved or embed other addresses. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * The well-known prefix of NAT64 (RFC 6052), under which IPv6-only networks reach IPv4 destinations. The embedded IPv4
 * address decides. The local-use prefix 64:ff9b:1::/48 stays forbidden.
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Classifies an address. Text in any other form, and addresses with a zone, are forbidden. */
export function classifyAddress(ip: string): AddressClass {
  const address = parseAddress(ip);
  return address !== undefined && isPublic(address) ? 'public' : 'forbidden';
}

/** Whether a block contains the address. An IPv4-mapped IPv6 address counts as IPv4. */
export function isAllowed(ip: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(ip);
  return address !== undefined && cidrs.some((cidr) => holds(cidr, address));
}

/** Parses blocks separated by commas or white space. A bare address is a block of one. Throws on an invalid entry. */
export function parseCidrs(text: string): Cidr[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseCidr);
}

function parseCidr(entry: string): Cidr {
  const [ip = '', bitsText, ...rest] = entry.split('/');
  const address = parseAddress(ip);
  const maxBits = ip.includes(':') ? 128 : 32;
  const bits = bitsText === undefined ? maxBits : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : Number.NaN;
  if (address === undefined || rest.length > 0 || !(bits <= maxBits)) throw invalidBlock(entry);
  if (maxBits === 32 || address.kind() === 'ipv6') return [address, bits];
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8. A wider block exceeds the IPv4 addresses.
  if (bits < 96) throw invalidBlock(entry);
  return [address, bits - 96];
}

function invalidBlock(entry: string): Error {
  return new Error(`Invalid address block '${entry}'. Use a form such as 10.0.0.0/8 or fd00::/8.`);
}

/** Accepts IPv4 only in full decimal form, because parsers disagree on short, octal and hexadecimal forms. */
function parseAddress(ip: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  if (!ip.includes(':') || ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return undefined;
  return ipaddr.process(ip);
}

/** Returns what identifies one client: an IPv4 address or an IPv6 /64. */
export function addressBlock(ip: string): string {
  const address = parseAddress(ip);
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 64) : (address?.toString() ?? ip);
}

/**
 * A /48 gets this many times the limit of a /64. A site usually has one /48 with 65,536 /64 blocks, but customers of a
 * hosting provider can share it.
 */
export const SHARES_PER_NETWORK = 8;

/** Returns the /48 of an IPv6 address, or undefined for IPv4. */
export function addressNetwork(ip: string): string | undefined {
  const address = parseAddress(ip);
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 48) : undefined;
}

function prefixOf(address: ipaddr.IPv6, bits: 48 | 64): string {
  const kept = address.toByteArray().slice(0, bits / 8);
  return `${new ipaddr.IPv6([...kept, ...Array<number>(16 - kept.length).fill(0)]).toString()}/${bits}`;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return !isSpecialAddress(address);
  if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST_V6) && !isSpecialAddress(address);
}

function holds([block, bits]: Cidr, address: Address): boolean {
  if (block instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(block, bits);
  return address instanceof ipaddr.IPv6 && address.match(block, bits);
}
