import type { Version } from '../last-release.ts';
import type { TenantChannel } from './installation.ts';
import type { Hook } from './receivers.ts';

export interface RunUpgrade {
  readonly from: Version;
  readonly to: Version;
  readonly seed: number;
  readonly ratePerSecond: number;
  /** The time for which each version serves alone, at least. */
  readonly servesMs: number;
  /** Whether the last worker of a version is killed. Otherwise it is stopped like the others. */
  readonly kills: boolean;
  readonly say: (text: string) => void;
}

/** A channel under load, and the receiver of its events. */
export interface LoadedChannel extends TenantChannel {
  readonly name: 'healthy' | 'flaky' | 'picky' | 'refusing' | 'replayed';
  readonly hook: Hook;
}
