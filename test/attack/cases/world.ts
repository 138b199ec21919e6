import type { Cidr } from '../../../contract/addresses/classify-address.ts';
import type { IdKind } from '../../../contract/ids.ts';
import type { Credential } from '../../harness/access/credentials.ts';

/** A tenant whose things are real, with an id for every kind that a path can name. */
export interface AttackedTenant {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly channelId: string;
  id(kind: IdKind | 'platformId'): string;
  /** Words that only answers to this tenant may carry. */
  readonly marks: readonly string[];
}

/** A channel whose token the attacker holds by right. */
export interface HeldChannel {
  readonly token: string;
  readonly resourceId: string;
}

/** A session of the attacker, with nothing forged. */
export interface HeldSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly cookie: string;
}

/** Everything that the cases know of the service. Optional parts are missing where nobody gave them. */
export interface World {
  readonly baseUrl: string;
  readonly gatewayUrl?: string;
  /** Credentials of the attacker's tenant, valid or not. */
  readonly credentials: readonly Credential[];
  /** A key with full access to the attacker's own tenant. */
  readonly apiKey: string;
  readonly own: AttackedTenant;
  readonly victim: AttackedTenant;
  readonly held?: HeldChannel;
  readonly session?: HeldSession;
  /** The account of a channel that belongs to somebody else. */
  readonly foreignResourceId?: string;
  /** The secret that the platform signs its webhooks with. */
  readonly platformSecret?: string;
  /** The account of a connected channel, for signed events. */
  readonly resourceId?: string;
  /** Private addresses that the installation allows as destinations. */
  readonly allowedCidrs: readonly Cidr[];
  readonly mailInboxUrl?: string;
  readonly databaseUrl?: string;
  readonly temporalAddress?: string;
  readonly temporalNamespace?: string;
  readonly logPath?: string;
  /** Optional. How many times longer than usual an answer may take; 1 by default. */
  readonly patience?: number;
  /** The API's process, to watch its memory. */
  readonly apiPid?: number;
}

/** The values of `.data/demo.env`, or of a file with the same names. */
export type DemoSettings = Readonly<Record<string, string | undefined>>;

/** Thrown before anything is sent. */
export class TargetRefused extends Error {}

/** Refuses addresses outside of this machine: this suite is hostile traffic. */
export function requireLoopback(urls: readonly string[]): void {
  for (const url of urls) {
    const { hostname } = new URL(url);
    if (/^127\.\d+\.\d+\.\d+$|^\[::1\]$|^localhost$/.test(hostname)) continue;
    throw new TargetRefused(
      `${url} is not on this machine. Attack only services that are yours to attack, and add --allow-remote to do so.`,
    );
  }
}
