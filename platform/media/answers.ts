import { z } from 'zod';
import type { PlatformContainerState } from '../../contract/containers/status.ts';

export interface RecentMedia {
  readonly id: string;
  readonly caption: string | null;
  readonly kind: 'image' | 'video' | 'carousel';
  readonly postedAt: Date;
  readonly permalink: string | null;
}

/** Currently digits. The pattern makes ids safe in paths and lists. */
const idText = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

export const idAnswer = z.object({ id: idText });

const states: Readonly<Record<string, PlatformContainerState>> = {
  IN_PROGRESS: 'in_progress',
  FINISHED: 'finished',
  PUBLISHED: 'published',
  ERROR: 'error',
  EXPIRED: 'expired',
};

/** `status` is null if the answer names no known state: the platform sometimes omits the code, or also the text. */
export const containerAnswer = z
  .object({ status_code: z.string().nullish().catch(null), status: z.string().nullish().catch(null) })
  .transform(({ status_code: code, status: text }) => {
    const status = stateOf(code ?? '') ?? stateOf(firstWords(text ?? ''));
    return { status, text: text ?? (status === null ? code : null) };
  });

function stateOf(word: string): PlatformContainerState | null {
  return Object.hasOwn(states, word) ? (states[word] ?? null) : null;
}

/** The text repeats the code before a colon, such as `In Progress: …`. */
function firstWords(text: string): string {
  return (text.split(':', 1)[0] ?? '').trim().replaceAll(' ', '_').toUpperCase();
}

const quota = z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }) });
/** Null if the account has no limit or the response has an unknown shape. */
export const quotaAnswer = z.object({ data: z.array(z.unknown()) }).transform(({ data }) => {
  const result = quota.safeParse(data[0]);
  return result.success ? { used: result.data.quota_usage, total: result.data.config.quota_total } : null;
});

const MAX_PERMALINK_LENGTH = 2048;
/** Shown as a link, so anything but a URL becomes null. */
const permalink = z
  .url({ protocol: /^https?$/ })
  .max(MAX_PERMALINK_LENGTH)
  .nullish()
  .catch(null)
  .transform((url) => url ?? null);

export const permalinkAnswer = z.object({ permalink });

const kinds = { IMAGE: 'image', VIDEO: 'video', CAROUSEL_ALBUM: 'carousel' } as const;
const mediaItem = z.object({
  id: idText,
  caption: z.string().nullish(),
  media_type: z.enum(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM']),
  timestamp: z.string(),
  permalink,
});

/** Skips malformed items: the others still show whether something was published. */
export const mediaList = z
  .object({ data: z.array(z.unknown()) })
  .transform(({ data }) =>
    data.flatMap(recentMedia).sort((left, right) => right.postedAt.getTime() - left.postedAt.getTime()),
  );

function recentMedia(value: unknown): RecentMedia[] {
  const item = mediaItem.safeParse(value).data;
  const postedAt = new Date(isoTime(item?.timestamp ?? ''));
  if (item === undefined || Number.isNaN(postedAt.getTime())) return [];
  const { id, caption, media_type: type, permalink: link } = item;
  return [{ id, caption: caption ?? null, kind: kinds[type], postedAt, permalink: link }];
}

/** The platform omits the colon in the offset. */
function isoTime(timestamp: string): string {
  return timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
}
