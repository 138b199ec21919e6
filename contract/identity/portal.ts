import type { Scope } from './scopes.ts';

/** A route admits portal sessions only if its access names one of these rights. */
export const portalRights = [
  'channels.read',
  'deliveries.read',
  'deliveries.retry',
  'subscriptions.read',
  'subscriptions.manage',
  'replays.read',
  'replays.manage',
] as const;
export type PortalRight = (typeof portalRights)[number];

export const MIN_PORTAL_SECONDS = 60;
export const DEFAULT_PORTAL_SECONDS = 3_600;
export const MAX_PORTAL_SECONDS = 86_400;
export const MAX_PORTAL_CHANNELS = 100;
export const MAX_FRAME_ANCESTORS = 10;

/** A right to change something includes the right to read it. */
const implied: Readonly<Partial<Record<PortalRight, PortalRight>>> = {
  'deliveries.retry': 'deliveries.read',
  'subscriptions.manage': 'subscriptions.read',
  'replays.manage': 'replays.read',
};

/** Returns distinct rights with the implied ones, in the order of the list. */
export function wholeRights(given: readonly PortalRight[]): PortalRight[] {
  const held = new Set<PortalRight>(['channels.read', ...given, ...given.flatMap((right) => implied[right] ?? [])]);
  return portalRights.filter((right) => held.has(right));
}

const scopesOfRight: Readonly<Record<PortalRight, readonly Scope[]>> = {
  'channels.read': ['channel.read'],
  'deliveries.read': ['deliveries.read'],
  'deliveries.retry': ['deliveries.replay'],
  'subscriptions.read': ['channel.read'],
  'subscriptions.manage': ['webhook.manage'],
  'replays.read': ['deliveries.read'],
  'replays.manage': ['deliveries.replay'],
};

/** The scopes of the routes that the rights open. A limited credential needs them to grant the rights. */
export function scopesOfRights(rights: readonly PortalRight[]): Scope[] {
  return [...new Set(rights.flatMap((right) => scopesOfRight[right]))];
}
