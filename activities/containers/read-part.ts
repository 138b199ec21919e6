import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformContainerState } from '../../contract/containers/status.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { refusalOf } from '../../platform/client/refusals.ts';
import type { PlatformAccountAccess, PlatformMedia } from '../../platform/media/media.ts';

/** What one read says about a part that the platform has accepted. */
export type PartReading =
  | { readonly state: PlatformContainerState; readonly detail: string | null }
  /**
   * `hidden`: the platform answers, but not with a state. It calls the part missing, refuses to show it or omits its
   * status. Because it accepted the part, only a write can tell more. `unreadable`: a later read may succeed.
   */
  | { readonly state: 'hidden' | 'unreadable'; readonly detail: string };

export interface PartRead {
  readonly platformMedia: Pick<PlatformMedia, 'readContainer'>;
  readonly account: PlatformAccountAccess | undefined;
  readonly platformId: string | null;
  readonly signal: AbortSignal;
}

/** Replicas of the platform lag behind by less. */
const CONFIRM_MS = 1_000;

/** No reading that ends a container counts until a second one repeats it. */
export async function readPart(read: PartRead): Promise<PartReading> {
  const first = await readOnce(read);
  if (!needsConfirmation(first)) return first;
  await sleep(CONFIRM_MS, undefined, { signal: read.signal });
  const second = await readOnce(read);
  if (first.state === second.state || !needsConfirmation(second)) return second;
  return { state: 'unreadable', detail: `The platform answered first ${first.state}, then ${second.state}.` };
}

function needsConfirmation({ state }: PartReading): boolean {
  switch (state) {
    case 'published':
    case 'error':
    case 'expired':
    case 'hidden':
      return true;
    case 'in_progress':
    case 'finished':
    case 'unreadable':
      return false;
  }
}

async function readOnce({ platformMedia, account, platformId, signal }: PartRead): Promise<PartReading> {
  if (!account || platformId === null) return { state: 'unreadable', detail: DISCONNECTED };
  try {
    const { status, detail } = await platformMedia.readContainer(account, platformId, signal);
    if (status !== null) return { state: status, detail };
    return {
      state: 'hidden',
      detail: `The platform shows no status code${detail === null ? '' : `, but: ${detail}`}.`,
    };
  } catch (error) {
    if (error instanceof PlatformRejected) return refusedReading(error);
    if (error instanceof PlatformUnavailable) return { state: 'unreadable', detail: `${error.message}.` };
    throw error;
  }
}

function refusedReading(error: PlatformRejected): PartReading {
  const { kind, retryAfterSeconds } = refusalOf('read', error);
  const isOfCaller = kind === 'credential' || error.isTransient || retryAfterSeconds !== null;
  const text = error.text === null ? '.' : `: ${error.text}`;
  return { state: isOfCaller ? 'unreadable' : 'hidden', detail: `${error.message}${text}` };
}

const DISCONNECTED = 'The channel is disconnected. Connect it again.';
