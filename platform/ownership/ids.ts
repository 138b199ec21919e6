import type { ChannelType } from '../../contract/event-types.ts';
import type { SubjectKind } from './edges.ts';

export interface ChannelScope {
  readonly type: ChannelType;
  readonly resourceId: string;
  /** As the platform reports it. The Page's credential gives access to it. */
  readonly linkedResourceId: string | null;
}

const rootKinds: Readonly<Record<ChannelType, SubjectKind>> = {
  chatapp: 'number',
  photoapp: 'photo_account',
  pageapp: 'page',
};

export function photoAccountOf({ type, resourceId, linkedResourceId }: ChannelScope): string | null {
  if (type === 'photoapp') return resourceId;
  return type === 'pageapp' ? linkedResourceId : null;
}

/** One path segment without special characters, and neither `.` nor `..`. */
const ID_FORM = /^(?!\.{1,2}$)[A-Za-z0-9_.:=-]{1,256}$/;

export function isObjectId(text: string): boolean {
  return ID_FORM.test(text);
}

/** Returns a kind only if the id alone proves that it belongs to the channel. */
export function kindById({ type, resourceId, linkedResourceId }: ChannelScope, id: string): SubjectKind | undefined {
  if (id === resourceId) return rootKinds[type];
  if (type !== 'pageapp') return undefined;
  if (id === linkedResourceId) return 'photo_account';
  return isPostOf(resourceId, id) ? 'page_object' : undefined;
}

/** A post's id begins with the id of its Page. */
function isPostOf(pageId: string, id: string): boolean {
  return id.startsWith(`${pageId}_`) && /^\d+$/.test(id.slice(pageId.length + 1));
}
