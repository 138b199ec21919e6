import type { Cidr } from '../../../contract/addresses/classify-address.ts';
import type { IdKind } from '../../../contract/ids.ts';
import type { Credential } from '../../harness/access/credentials.ts';

export interface AttackedTenant {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly channelId: string;
  id(kind: IdKind | 'platformId'): string;
  /** Texts that only responses to this tenant may contain. */
  readonly marks: readonly string[];
}

/** A channel whose token the attacker legitimately has. */
export interface HeldChannel {
  readonly token: string;
  readonly resourceId: string;
}

export interface HeldSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly cookie: string;
}

/** Unknown parts are omitted. */
export interface World {
  readonly baseUrl: string;
  readonly gatewayUrl?: string;
  readonly credentials: readonly Credential[];
  readonly apiKey: string;
  readonly own: AttackedTenant;
  readonly victim: AttackedTenant;
  readonly held?: HeldChannel;
  /** An API key of the victim, which measures what it notices. */
  readonly victimKey?: string;
  readonly session?: HeldSession;
  readonly foreignResourceId?: string;
  readonly platformSecret?: string;
  readonly resourceId?: string;
  readonly allowedCidrs: readonly Cidr[];
  readonly mailInboxUrl?: string;
  readonly databaseUrl?: string;
  readonly temporalAddress?: string;
  readonly temporalNamespace?: string;
  readonly logPath?: string;
  /** Optional. Multiplies the time limits of responses. Default: 1. */
  readonly patience?: number;
  readonly apiPid?: number;
}

export type DemoSettings = Readonly<Record<string, string | undefined>>;

export class TargetRefused extends Error {}

/** Refuses remote addresses, because the suite sends hostile traffic. */
export function requireLoopback(urls: readonly string[]): void {
  for (const url of urls) {
    const { hostname } = new URL(url);
    if (/^127\.\d+\.\d+\.\d+$|^\[::1\]$|^localhost$/.test(hostname)) continue;
    throw new TargetRefused(
      `${url} is not on this machine. Attack only services that are yours to attack, and add --allow-remote to do so.`,
    );
  }
}
