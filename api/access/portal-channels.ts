import type { ErrorCode } from '../../contract/errors.ts';
import { Forbidden, NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';

type Caller = Pick<Principal, 'portal'>;

/** Null if the caller sees all channels of its workspaces. */
export function visibleChannelIds({ portal }: Caller): readonly string[] | null {
  return portal?.channelPublicIds ?? null;
}

/** To a portal that is limited to channels, others do not exist. */
export function requireChannel(caller: Caller, channelPublicId: string, notFound: ErrorCode): void {
  const visible = visibleChannelIds(caller);
  if (visible && !visible.includes(channelPublicId)) throw new NotFound(notFound);
}

export function channelMustBeNamed(): Forbidden {
  return new Forbidden('This portal link is limited to channels. Name one of them: scope=channel:ch_….');
}
