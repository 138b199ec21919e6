import type { Principal } from '../requests/state.ts';

type Caller = Pick<Principal, 'portal'>;

interface ShownDestination {
  readonly type: string;
  readonly url: string | null;
  /** Only on the health of a destination. */
  readonly headers?: readonly string[];
  readonly authentication?: { readonly type: string; readonly username: string | null };
}

/**
 * A customer's subscriptions are signed with the secret of the channel, and signatures do not cover the URL. A portal
 * therefore does not see the address at which the organization would accept them.
 */
export function hideWebhookUrl<Channel extends { readonly webhookUrl: string | null }>(
  { portal }: Caller,
  channel: Channel,
): Channel {
  return portal ? { ...channel, webhookUrl: null } : channel;
}

export function hideWebhook<Destination extends ShownDestination>(
  { portal }: Caller,
  destination: Destination,
): Destination {
  if (!portal || destination.type !== 'webhook') return destination;
  const { headers, authentication } = destination;
  return {
    ...destination,
    url: null,
    ...(headers && { headers: [] }),
    ...(authentication && { authentication: { ...authentication, username: null } }),
  };
}
