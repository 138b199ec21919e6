import { z } from 'zod';
import { type ChannelScope, isObjectId } from './ids.ts';
import type { SubjectKind } from './edges.ts';

export type Finding =
  | { readonly kind: SubjectKind }
  /** Has the same owner as `ask`. */
  | { readonly kind: SubjectKind; readonly ask: string }
  | 'foreign'
  /** The object is of another kind than the lookup expects. */
  | 'unclear';

/** For objects of another kind, the platform refuses the field. */
export interface OwnerLookup {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly find: (answer: unknown) => Finding;
}

const id = z.union([z.string(), z.number().transform(String)]);
const party = z.object({ id });
const parties = z.object({ data: z.array(party.partial()) });

/** Numbers, posts and comments, threads and messages. Excludes words such as `me`. */
const ASKED_FORM = /^(?:\d+|\d+_\d+|[tm]_[A-Za-z0-9_.:=-]+|(?=[^\d]*\d)[A-Za-z0-9_=-]{24,})$/;

/** Returns the reads to try, in order. */
export function ownerLookups(scope: ChannelScope, objectId: string): readonly OwnerLookup[] {
  if (!ASKED_FORM.test(objectId)) return [];
  switch (scope.type) {
    case 'chatapp':
      return /^\d+$/.test(objectId) ? [fileOf(scope, objectId), businessOf(scope, objectId)] : [];
    case 'photoapp':
      return ofPhotoAccount(scope.resourceId, objectId);
    case 'pageapp':
      return ofPage(scope, objectId);
  }
}

function ofPage({ resourceId, linkedResourceId }: ChannelScope, objectId: string): readonly OwnerLookup[] {
  const accounts = [resourceId, linkedResourceId].filter((account) => account !== null);
  if (!/^\d+(?:_\d+)?$/.test(objectId)) return [threadOf(accounts, objectId), messageOf(accounts, objectId)];
  const comment = dependent({ objectId, field: 'object', kind: 'page_object' });
  // The author does not prove the location: the Page may have written on another Page.
  if (objectId.includes('_')) return [comment];
  const upload = owned({ objectId, field: 'from', account: resourceId, kind: 'page_object' });
  return [comment, upload, ...(linkedResourceId === null ? [] : ofPhotoAccount(linkedResourceId, objectId))];
}

function ofPhotoAccount(account: string, objectId: string): readonly OwnerLookup[] {
  if (!/^\d+$/.test(objectId)) return [threadOf([account], objectId), messageOf([account], objectId)];
  return [
    owned({ objectId, field: 'owner', account, kind: 'photo_object' }),
    dependent({ objectId, field: 'media', kind: 'photo_object' }),
  ];
}

function lookUp(objectId: string, fields: string, find: OwnerLookup['find']): OwnerLookup {
  return { path: encodeURIComponent(objectId), query: { fields }, find };
}

interface Owned {
  readonly objectId: string;
  readonly field: 'from' | 'owner';
  readonly account: string;
  readonly kind: SubjectKind;
}

function owned({ objectId, field, account, kind }: Owned): OwnerLookup {
  return lookUp(objectId, `id,${field}`, (answer) => {
    const found = z.object({ [field]: party }).safeParse(answer).data?.[field];
    if (found === undefined) return 'foreign';
    return found.id === account ? { kind } : 'foreign';
  });
}

/** A comment belongs to the owner of the object that it is on. */
function dependent({
  objectId,
  field,
  kind,
}: {
  objectId: string;
  field: 'object' | 'media';
  kind: SubjectKind;
}): OwnerLookup {
  return lookUp(objectId, `id,${field}`, (answer) => {
    const above = z.object({ [field]: party }).safeParse(answer).data?.[field];
    return above !== undefined && isObjectId(above.id) && above.id !== objectId ? { kind, ask: above.id } : 'foreign';
  });
}

function threadOf(accounts: readonly string[], objectId: string): OwnerLookup {
  return lookUp(objectId, 'id,participants', (answer) => {
    const found = z.object({ participants: parties }).safeParse(answer).data?.participants.data;
    if (found === undefined) return 'unclear';
    return includesOne(found, accounts) ? { kind: 'thread' } : 'foreign';
  });
}

function messageOf(accounts: readonly string[], objectId: string): OwnerLookup {
  return lookUp(objectId, 'id,from,to', (answer) => {
    const found = z.object({ from: party, to: parties }).safeParse(answer).data;
    if (found === undefined) return 'unclear';
    return includesOne([found.from, ...found.to.data], accounts) ? { kind: 'message' } : 'foreign';
  });
}

function includesOne(found: readonly { readonly id?: string | undefined }[], accounts: readonly string[]): boolean {
  return found.some((one) => one.id !== undefined && accounts.includes(one.id));
}

/** With this parameter, the platform returns only files uploaded for that number. */
const numberParameter = 'phone_number_id';

export function fileQuery(query: string, { resourceId }: Pick<ChannelScope, 'resourceId'>): string {
  if (new URLSearchParams(query).has(numberParameter)) return query;
  return `${query}${query && '&'}${numberParameter}=${encodeURIComponent(resourceId)}`;
}

function fileOf({ resourceId }: ChannelScope, objectId: string): OwnerLookup {
  const file = z.object({ id: z.literal(objectId), messaging_product: z.string(), mime_type: z.string() });
  return {
    path: objectId,
    query: { [numberParameter]: resourceId },
    find: (answer) => (file.safeParse(answer).success ? { kind: 'file' } : 'unclear'),
  };
}

function businessOf({ resourceId }: ChannelScope, objectId: string): OwnerLookup {
  return {
    path: `${objectId}/phone_numbers`,
    query: { fields: 'id', limit: '100' },
    find(answer) {
      const numbers = parties.safeParse(answer).data?.data;
      if (numbers === undefined) return 'unclear';
      return includesOne(numbers, [resourceId]) ? { kind: 'business' } : 'foreign';
    },
  };
}
