import type { ChannelType } from '../../contract/event-types.ts';
import type { SubjectKind } from './edges.ts';

/** The accounts that a channel token may act for. */
export interface ChannelScope {
  readonly type: ChannelType;
  readonly resourceId: string;
  /** A Page's photo account, as the platform has named it. The Page's own credential is what reaches it. */
  readonly linkedResourceId: string | null;
}

const rootKinds: Readonly<Record<ChannelType, SubjectKind>> = {
  chatapp: 'number',
  photoapp: 'photo_account',
  pageapp: 'page',
};

/** The photo account that a channel token may act for, which may have media containers. */
export function photoAccountOf({ type, resourceId, linkedResourceId }: ChannelScope): string | null {
  if (type === 'photoapp') return resourceId;
  return type === 'pageapp' ? linkedResourceId : null;
}

/** One segment of a path. No character in it means anything in an address, and it is neither `.` nor `..`. */
const ID_FORM = /^(?!\.{1,2}$)[A-Za-z0-9_.:=-]{1,256}$/;

export function isObjectId(text: string): boolean {
  return ID_FORM.test(text);
}

/** What an id is, where the id itself shows that it belongs to the channel. */
export function kindById({ type, resourceId, linkedResourceId }: ChannelScope, id: string): SubjectKind | undefined {
  if (id === resourceId) return rootKinds[type];
  if (type !== 'pageapp') return undefined;
  if (id === linkedResourceId) return 'photo_account';
  return isPostOf(resourceId, id) ? 'page_object' : undefined;
}

/** A post's id begins with that of the Page that it stands on. */
function isPostOf(pageId: string, id: string): boolean {
  return id.startsWith(`${pageId}_`) && /^\d+$/.test(id.slice(pageId.length + 1));
}
