import ipaddr from 'ipaddr.js';
import { isSpecialAddress } from './special-addresses.ts';

/**
 * Checks parsed bytes, because an address has many spellings. Forbids all addresses except those known to be public.
 */

type Address = ReturnType<typeof ipaddr.process>;
export type Cidr = readonly [Address, number];
export type AddressClass = 'public' | 'forbidden';

/** All other IPv6 is local, reserved or embeds other addresses. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 (RFC 6052): the embedded IPv4 address decides. The local-use prefix 64:ff9b:1::/48 stays forbidden. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Invalid text and addresses with a zone are forbidden. */
export function classifyAddress(ip: string): AddressClass {
  const address = parseAddress(ip);
  return address !== undefined && isPublic(address) ? 'public' : 'forbidden';
}

/** An IPv4-mapped IPv6 address counts as IPv4. */
export function isAllowed(ip: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(ip);
  return address !== undefined && cidrs.some((cidr) => holds(cidr, address));
}

/** Throws on an invalid entry. */
export function parseCidrs(text: string): Cidr[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseCidr);
}

export function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

function parseCidr(entry: string): Cidr {
  const [ip = '', bitsText, ...rest] = entry.split('/');
  const address = parseAddress(ip);
  const maxBits = ip.includes(':') ? 128 : 32;
  const bits = bitsText === undefined ? maxBits : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : Number.NaN;
  if (address === undefined || rest.length > 0 || !(bits <= maxBits)) throw invalidBlock(entry);
  if (maxBits === 32 || address.kind() === 'ipv6') return [address, bits];
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  if (bits < 96) throw invalidBlock(entry);
  return [address, bits - 96];
}

function invalidBlock(entry: string): Error {
  return new Error(`Invalid address block '${entry}'. Use a form such as 10.0.0.0/8 or fd00::/8.`);
}

/** Each request parses its sender several times. IPv6 and text that is no address take 20 to 30 µs. */
const parsed = new Map<string, Address | undefined>();
const MAX_PARSED = 1_000;
const MAX_ADDRESS_LENGTH = 64;

function parseAddress(ip: string): Address | undefined {
  if (parsed.has(ip)) return parsed.get(ip);
  const address = parse(ip);
  if (ip.length > MAX_ADDRESS_LENGTH) return address;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(ip, address);
  return address;
}

/** Parsers disagree on short, octal and hexadecimal IPv4. */
function parse(ip: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  if (!ip.includes(':') || ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return undefined;
  return ipaddr.process(ip);
}

/** Returns the one spelling of an address, without its zone, or undefined for other text. */
export function canonicalAddress(ip: string): string | undefined {
  const zoneAt = ip.indexOf('%');
  return parseAddress(zoneAt === -1 ? ip : ip.slice(0, zoneAt))?.toString();
}

/** Returns what identifies one client: an IPv4 address or an IPv6 /64. */
export function addressBlock(ip: string): string {
  const address = parseAddress(ip);
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 64) : (address?.toString() ?? ip);
}

/** A /48 gets this many times the limit of a /64: a site has 65,536 of them, but hosting customers can share a /48. */
export const SHARES_PER_NETWORK = 8;

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
