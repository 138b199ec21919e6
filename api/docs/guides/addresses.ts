import { addressMark, type GuideAddresses, type GuideAddressName } from '../../../contract/guides.ts';

/** Shown to readers who may not see the installation's own. */
const EXAMPLE_TEMPORAL_URL = 'https://temporal.example.com';

/** Returns a function that replaces the marks of a built file by the addresses of the installation. */
export function addressFiller(addresses: GuideAddresses): (text: string) => string {
  const written: Readonly<Record<GuideAddressName, string>> = {
    api: safeAddress(addresses.api),
    gateway: safeAddress(addresses.gateway),
    temporal: safeAddress(addresses.temporal ?? EXAMPLE_TEMPORAL_URL),
  };
  return (text) => text.replace(addressMark, (_, name: GuideAddressName) => written[name]);
}

/**
 * Marks are in HTML, scripts, JSON and shell commands. Characters with a meaning in any of them are percent-encoded, so
 * that an address needs no other escaping.
 */
function safeAddress(address: string): string {
  const { href } = new URL(address);
  return (href.endsWith('/') ? href.slice(0, -1) : href).replace(/[^\w:/.~%[\]@+,-]/gu, (character) => {
    return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}
