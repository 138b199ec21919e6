import { z } from 'zod';
import { type ChannelScope, isObjectId } from './ids.ts';
import type { SubjectKind } from './edges.ts';

/** What an answer of the platform says about whose an object is. */
export type Finding =
  | { readonly kind: SubjectKind }
  /** It belongs to whoever this other object belongs to. */
  | { readonly kind: SubjectKind; readonly ask: string }
  | 'foreign'
  /** The object is of another sort than was asked for. */
  | 'unclear';

/** A read that shows the owner of an object, if that is of the right sort: of others the platform refuses the field. */
export interface OwnerLookUp {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly find: (answer: unknown) => Finding;
}

const id = z.union([z.string(), z.number().transform(String)]);
const party = z.object({ id });
const parties = z.object({ data: z.array(party.partial()) });

/**
 * Objects of which the platform is asked whose they are: numbers, posts and comments in two parts, threads and messages.
 * Words such as `me`, `search` or an account's name are none.
 */
const ASKED_FORM = /^(?:\d+|\d+_\d+|[tm]_[A-Za-z0-9_.:=-]+|(?=[^\d]*\d)[A-Za-z0-9_=-]{24,})$/;

/** The reads to try in turn for an object of unknown sort. */
export function ownerLookUps(scope: ChannelScope, objectId: string): readonly OwnerLookUp[] {
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

function ofPage({ resourceId, linkedResourceId }: ChannelScope, objectId: string): readonly OwnerLookUp[] {
  const accounts = [resourceId, linkedResourceId].filter((account) => account !== null);
  if (!/^\d+(?:_\d+)?$/.test(objectId)) return [threadOf(accounts, objectId), messageOf(accounts, objectId)];
  const comment = dependent({ objectId, field: 'object', kind: 'page_object' });
  // Who wrote something says nothing of where it stands: a comment or a post of the Page's may be on another one.
  if (objectId.includes('_')) return [comment];
  const upload = owned({ objectId, field: 'from', account: resourceId, kind: 'page_object' });
  return [comment, upload, ...(linkedResourceId === null ? [] : ofPhotoAccount(linkedResourceId, objectId))];
}

function ofPhotoAccount(account: string, objectId: string): readonly OwnerLookUp[] {
  if (!/^\d+$/.test(objectId)) return [threadOf([account], objectId), messageOf([account], objectId)];
  return [
    owned({ objectId, field: 'owner', account, kind: 'photo_object' }),
    dependent({ objectId, field: 'media', kind: 'photo_object' }),
  ];
}

function lookUp(objectId: string, fields: string, find: OwnerLookUp['find']): OwnerLookUp {
  return { path: encodeURIComponent(objectId), query: { fields }, find };
}

interface Owned {
  readonly objectId: string;
  readonly field: 'from' | 'owner';
  readonly account: string;
  readonly kind: SubjectKind;
}

function owned({ objectId, field, account, kind }: Owned): OwnerLookUp {
  return lookUp(objectId, `id,${field}`, (answer) => {
    const found = z.object({ [field]: party }).safeParse(answer).data?.[field];
    if (found === undefined) return 'foreign';
    return found.id === account ? { kind } : 'foreign';
  });
}

/** A comment belongs to whoever the thing that it stands under belongs to. */
function dependent({
  objectId,
  field,
  kind,
}: {
  objectId: string;
  field: 'object' | 'media';
  kind: SubjectKind;
}): OwnerLookUp {
  return lookUp(objectId, `id,${field}`, (answer) => {
    const above = z.object({ [field]: party }).safeParse(answer).data?.[field];
    return above !== undefined && isObjectId(above.id) && above.id !== objectId ? { kind, ask: above.id } : 'foreign';
  });
}

function threadOf(accounts: readonly string[], objectId: string): OwnerLookUp {
  return lookUp(objectId, 'id,participants', (answer) => {
    const found = z.object({ participants: parties }).safeParse(answer).data?.participants.data;
    if (found === undefined) return 'unclear';
    return includesOne(found, accounts) ? { kind: 'thread' } : 'foreign';
  });
}

function messageOf(accounts: readonly string[], objectId: string): OwnerLookUp {
  return lookUp(objectId, 'id,from,to', (answer) => {
    const found = z.object({ from: party, to: parties }).safeParse(answer).data;
    if (found === undefined) return 'unclear';
    return includesOne([found.from, ...found.to.data], accounts) ? { kind: 'message' } : 'foreign';
  });
}

function includesOne(found: readonly { readonly id?: string | undefined }[], accounts: readonly string[]): boolean {
  return found.some((one) => one.id !== undefined && accounts.includes(one.id));
}

/** No such object, no such field, no permission: what the platform answers where an object is another's. */
const NOT_SHOWN = new Set([3, 10, 24, 33, 100, 803]);

/** Whether a refusal of a look-up says no more than that the object is not shown to the account. */
export function isNotShown({ code }: { readonly code: number }): boolean {
  return NOT_SHOWN.has(code) || (code >= 200 && code < 300);
}

/** With the number's id the platform answers only for what was uploaded for that number. */
const numberParameter = 'phone_number_id';

/** The query of a call on a file, with the number that it is for. */
export function fileQuery(query: string, { resourceId }: Pick<ChannelScope, 'resourceId'>): string {
  if (new URLSearchParams(query).has(numberParameter)) return query;
  return `${query}${query && '&'}${numberParameter}=${encodeURIComponent(resourceId)}`;
}

function fileOf({ resourceId }: ChannelScope, objectId: string): OwnerLookUp {
  const file = z.object({ id: z.literal(objectId), messaging_product: z.string(), mime_type: z.string() });
  return {
    path: objectId,
    query: { [numberParameter]: resourceId },
    find: (answer) => (file.safeParse(answer).success ? { kind: 'file' } : 'unclear'),
  };
}

/** The business account that the number is in. */
function businessOf({ resourceId }: ChannelScope, objectId: string): OwnerLookUp {
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
