import { signal } from '@preact/signals';
import type { Schema } from '../../client/create-client.ts';
import type { PortalRight } from '../../contract/identity/portal.ts';

export type Portal = Omit<Schema<'PortalSession'>, 'accessToken'>;

/** Null in the dashboard. */
export const portal = signal<Portal | null>(null);

/** In memory only: frames of other sites get no storage, and a reload of the page that embeds the portal repeats its link. */
let token: string | null = null;

export function portalToken(): string | null {
  return token;
}

export function enterPortal({ accessToken, ...session }: Schema<'PortalSession'>): void {
  token = accessToken;
  portal.value = session;
}

/** In the dashboard, the API decides. */
export function may(right: PortalRight): boolean {
  return portal.value?.rights.includes(right) ?? true;
}

/** A portal that is limited to channels shows one of them at a time. */
export function mustNameChannel(): boolean {
  return Boolean(portal.value?.channelIds);
}
