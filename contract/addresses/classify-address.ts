import ipaddr from 'ipaddr.js';
import { isSpecialAddress } from './special-addresses.ts';

/**
 * Which addresses a destination may have. Judged on the parsed bytes, never on text: the same address has many
 * spellings, and a check of the text is what such guards are usually broken by. Deny by default: what is not known
 * to be public is forbidden.
 */

type Address = ReturnType<typeof ipaddr.process>;
export type Cidr = readonly [Address, number];
export type AddressClass = 'public' | 'forbidden';

/** Global unicast space of IPv6; everything outside of it is local, reserved or carries another kind of address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * The well-known prefix of NAT64 (RFC 6052). Networks without IPv4 of their own see every IPv4 destination under it,
 * so it takes the verdict of the IPv4 address it carries. The local-use prefix 64:ff9b:1::/48 stays forbidden.
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Classifies an address; text that is not one plain address is forbidden, as are addresses bound to a zone. */
export function classifyAddress(ip: string): AddressClass {
  const address = parseAddress(ip);
  return address !== undefined && isPublic(address) ? 'public' : 'forbidden';
}

/** True when one of the blocks holds the address. An IPv4 address inside IPv6 counts as the IPv4 address. */
export function isAllowed(ip: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(ip);
  return address !== undefined && cidrs.some((cidr) => holds(cidr, address));
}

/**
 * Reads blocks separated by commas or white space; a bare address is a block of one.
 * Throws, naming the entry, on anything else.
 */
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
  if (address === undefined || rest.length > 0 || !(bits <= maxBits)) throw new Error(`Not an address block: ${entry}`);
  if (maxBits === 32 || address.kind() === 'ipv6') return [address, bits];
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8; a wider block reaches outside of the IPv4 addresses.
  if (bits < 96) throw new Error(`Not an address block: ${entry}`);
  return [address, bits - 96];
}

/** Only the full decimal form of IPv4: the short, octal and hexadecimal forms mean different things to different readers. */
function parseAddress(ip: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  if (!ip.includes(':') || ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return undefined;
  return ipaddr.process(ip);
}

/** What stands for one client: an IPv4 address, or the block of 64 bits that one IPv6 connection is given. */
export function addressBlock(ip: string): string {
  const address = parseAddress(ip);
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 64) : (address?.toString() ?? ip);
}

/**
 * The shares of one block of 64 bits that a whole /48 has. A /48 is what one site is usually given, with 65,536 such
 * blocks in it; several customers of a hosting provider may share one, hence more than one share.
 */
export const SHARES_PER_NETWORK = 8;

/** Returns the IPv6 /48 around an address; undefined for IPv4, where an address has no network of its own. */
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
