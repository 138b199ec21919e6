import { addressBlock, addressNetwork, SHARES_PER_NETWORK } from '../contract/addresses/classify-address.ts';
import { BoundedMap } from './bounded-map.ts';

export const WINDOW_SECONDS = 60;
/** Beyond them, the oldest windows are forgotten. */
const MAX_WINDOWS = 100_000;

export interface Counted {
  readonly quota: number;
  readonly remaining: number;
  /** Until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** Whether more than the quota were counted. */
  readonly isOver: boolean;
}

export interface Windows {
  count(key: string): Counted;
  /** Without counting. Undefined while the quota is not used up. */
  exhausted(key: string): Counted | undefined;
}

/** Counts in windows of a minute that begin with their first one. In memory and per process. */
export function createWindows(quota: number, now: () => number = () => performance.now()): Windows {
  const windows = new BoundedMap<string, { count: number; readonly endsAtMs: number }>(MAX_WINDOWS);

  const show = ({ count, endsAtMs }: { readonly count: number; readonly endsAtMs: number }): Counted => ({
    quota,
    remaining: Math.max(quota - count, 0),
    resetSeconds: Math.max(1, Math.ceil((endsAtMs - now()) / 1_000)),
    isOver: count > quota,
  });

  return {
    count(key) {
      let window = windows.get(key);
      if (!window || window.endsAtMs <= now()) {
        window = { count: 0, endsAtMs: now() + WINDOW_SECONDS * 1_000 };
        windows.set(key, window);
      }
      window.count++;
      return show(window);
    },
    exhausted(key) {
      const window = windows.get(key);
      return window && window.endsAtMs > now() && window.count >= quota ? show(window) : undefined;
    },
  };
}

/**
 * Counts by address, and IPv6 also by its /48. What its block refuses does not count for the /48, so one block uses only
 * one share. An exhausted /48 is refused before its blocks are counted, because they would fill the windows.
 */
export function createAddressWindows(quota: number, now?: () => number) {
  const blocks = createWindows(quota, now);
  const networks = createWindows(quota * SHARES_PER_NETWORK, now);
  return (clientAddress: string): { readonly counted: Counted; readonly isRefused: boolean; readonly by: Counter } => {
    const network = addressNetwork(clientAddress);
    const exhausted = network === undefined ? undefined : networks.exhausted(network);
    if (exhausted) return { counted: exhausted, isRefused: true, by: 'network' };
    const counted = blocks.count(addressBlock(clientAddress));
    if (network !== undefined && !counted.isOver) networks.count(network);
    return { counted, isRefused: counted.isOver, by: 'block' };
  };
}

type Counter = 'block' | 'network';
