import { platformTime } from '../scripted-api/platform-time.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import { statusOf, type Container, type Post, type StatusCode } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Throws a `Refusal` for an unknown field. */
export function selectFields(node: Fields & { readonly id: string }, wanted: string | undefined): Fields {
  const names = (wanted ?? 'id').split(',').map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(node, name));
  if (unknown !== undefined) throw invalidParameter(`Tried accessing nonexisting field (${unknown.slice(0, 100)})`);
  // The platform omits fields without a value.
  const entries = names.flatMap((name) => (node[name] === undefined ? [] : [[name, node[name]]]));
  return { ...Object.fromEntries(entries), id: node.id };
}

export function containerNode(container: Container, nowMs: number) {
  const status_code = statusOf(container, nowMs);
  return {
    id: container.id,
    status_code,
    status: statusText(status_code, container.errorSubcode),
    copyright_check_status: { status: copyrightStatus(status_code), matches_found: false },
  };
}

export function mediaNode({ id, mediaType, caption, permalink, shortcode, postedAtMs, parameters, children }: Post) {
  const [media_type, media_product_type] = productOf(mediaType, 'video_url' in parameters);
  return {
    id,
    caption: caption ?? undefined,
    media_type,
    media_product_type,
    media_url: parameters['video_url'] ?? parameters['image_url'],
    thumbnail_url: 'video_url' in parameters ? `${permalink}thumbnail.jpg` : undefined,
    username: undefined,
    alt_text: parameters['alt_text'],
    permalink,
    shortcode,
    timestamp: platformTime(postedAtMs),
    like_count: 0,
    comments_count: 0,
    is_comment_enabled: true,
    children: children.length > 0 ? { data: children.map((child) => ({ id: child })) } : undefined,
  };
}

function productOf(mediaType: Post['mediaType'], isVideo: boolean): [string, string] {
  if (mediaType === 'CAROUSEL') return ['CAROUSEL_ALBUM', 'FEED'];
  if (mediaType === 'REELS') return ['VIDEO', 'REELS'];
  return [isVideo ? 'VIDEO' : 'IMAGE', mediaType === 'STORIES' ? 'STORY' : 'FEED'];
}

function statusText(status: StatusCode, errorSubcode: number | null): string {
  switch (status) {
    case 'IN_PROGRESS':
      return 'In Progress: Media is still being processed.';
    case 'FINISHED':
      return 'Finished: Media has been uploaded and it is ready to be published.';
    case 'PUBLISHED':
      return 'Published: Media has been successfully published.';
    case 'EXPIRED':
      return 'Expired: Media was not published within 24 hours.';
    case 'ERROR':
      return `Error: Media upload has failed with error code ${errorSubcode}`;
  }
}

function copyrightStatus(status: StatusCode): string {
  if (status === 'IN_PROGRESS') return 'in_progress';
  return status === 'ERROR' ? 'error' : 'completed';
}
