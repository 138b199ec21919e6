/**
 * What each refusal of the platform means. The one table from the call, code and subcode to the answer of the service and
 * to whether the platform may have done something. Sends, publishes, health checks, scheduled messages, repeats of reads
 * and the gateway's log use it.
 *
 * The most exact row decides: code with subcode, then the subcode, which has one meaning with every code, then the code.
 * Messages are ignored, because they are localized and can change. The status decides only for codes without a row: the
 * platform refuses with 500, too, and has done nothing then.
 */
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import { PlatformRejected, PlatformUnavailable } from './errors.ts';

/** `publish` publishes a media container. `write` is every other call with a visible effect. */
export type CallKind = 'read' | 'insights' | 'write' | 'publish';

export type RefusalKind = keyof typeof answers;

export interface Refusal {
  readonly kind: RefusalKind;
  readonly code: PlatformRefusalCode;
  /** False if the platform is known to have done nothing. */
  readonly mayBeDone: boolean;
  /** Null if a repeat does not help. */
  readonly retryAfterSeconds: number | null;
  /** A sentence for users; empty if the platform's text says it better. */
  readonly says: string;
}

interface KindAnswer {
  readonly code: PlatformRefusalCode;
  readonly says: string;
  /** Optional. Used unless the platform says how long to wait. */
  readonly waitSeconds?: number;
  /** Optional. Whose limit it is. */
  readonly limitOf?: 'app' | 'account';
  /** Optional. When a read is repeated: within seconds, or only if the platform says how long to wait. */
  readonly repeat?: 'soon' | 'hinted';
}

const answers = {
  app_limit: {
    code: 'PLATFORM_RATE_LIMITED',
    says: 'The app of this installation has reached a limit of the platform. Nothing was done.',
    ...({ waitSeconds: 60, limitOf: 'app', repeat: 'soon' } as const),
  },
  account_limit: {
    code: 'PLATFORM_RATE_LIMITED',
    says: 'The account has reached a limit of the platform. Nothing was done.',
    ...({ waitSeconds: 60, limitOf: 'account', repeat: 'soon' } as const),
  },
  // These last minutes, and an early repeat prolongs them.
  use_case_limit: {
    code: 'PLATFORM_RATE_LIMITED',
    says: "The account has reached the platform's limit of calls. Nothing was done.",
    ...({ waitSeconds: 300, limitOf: 'account', repeat: 'hinted' } as const),
  },
  throughput_limit: {
    code: 'PLATFORM_RATE_LIMITED',
    says: 'The number sends more messages a second than the platform allows. Nothing was sent.',
    ...({ waitSeconds: 5, limitOf: 'account', repeat: 'soon' } as const),
  },
  // Lasts until the quality of the number has improved.
  spam_limit: {
    code: 'PLATFORM_RATE_LIMITED',
    says: 'The platform limits the account, because people blocked or reported its messages. Nothing was sent.',
    ...({ waitSeconds: 3_600, limitOf: 'account' } as const),
  },
  recipient_limit: {
    code: 'RECIPIENT_RATE_LIMITED',
    says: 'The account sends too many messages to this person. Nothing was sent, and others can be written to.',
    waitSeconds: 6,
  },
  quota: {
    code: 'PUBLISH_QUOTA_EXCEEDED',
    says: "The account has reached the platform's limit of posts in 24 hours. Nothing was published.",
    // A sliding window of a day: an hour may already free some of it.
    waitSeconds: 3_600,
  },
  temporary: {
    code: 'PLATFORM_UNAVAILABLE',
    says: 'The platform could not do it at the moment. Nothing was done.',
    ...({ waitSeconds: 60, repeat: 'soon' } as const),
  },
  // The platform failed, and its progress is unknown.
  fault: {
    code: 'PLATFORM_UNAVAILABLE',
    says: 'The platform failed.',
    ...({ waitSeconds: 5, repeat: 'soon' } as const),
  },
  not_ready: { code: 'CONTAINER_NOT_READY', says: 'The platform is still processing the container.', waitSeconds: 60 },
  expired: { code: 'CONTAINER_EXPIRED', says: 'The container has expired. Create a new one.' },
  credential: {
    code: 'CREDENTIAL_REFUSED',
    says: 'The platform refuses the credential. Connect the account again. Events are still received.',
  },
  permission: { code: 'PAGEAPP_SCOPE_MISSING', says: 'The connected account lacks a permission.' },
  restricted: {
    code: 'ACCOUNT_RESTRICTED',
    says: 'The platform has restricted the account. Resolve this with the platform first.',
  },
  not_registered: {
    code: 'NUMBER_NOT_REGISTERED',
    says: 'The number is not registered at the platform. Register it first.',
  },
  window_closed: {
    code: 'MESSAGING_WINDOW_CLOSED',
    says: 'The time in which this person can be answered freely is over. Nothing was sent.',
  },
  unreachable: { code: 'RECIPIENT_UNREACHABLE', says: 'The person cannot receive this message. Nothing was sent.' },
  withheld: {
    code: 'MESSAGE_WITHHELD',
    says: 'The platform withholds this message from this person. Do not repeat it within a day.',
  },
  held_elsewhere: {
    code: 'CONVERSATION_HELD_ELSEWHERE',
    says: 'Another app controls the conversation. Nothing was sent.',
  },
  reply_used: { code: 'REPLY_ALREADY_SENT', says: 'The comment has had its only private reply. Nothing was sent.' },
  duplicate: { code: 'DUPLICATE_POST', says: 'The account has just posted the same. Nothing was posted.' },
  template: { code: 'TEMPLATE_REJECTED', says: 'The template cannot be sent like this. Nothing was sent.' },
  media: { code: 'MEDIA_REJECTED', says: 'The platform cannot use the file. Nothing was published or sent.' },
  invalid: { code: 'VALIDATION_ERROR', says: '' },
  // Also if the account cannot see the object.
  missing: { code: 'VALIDATION_ERROR', says: '' },
  // Names containers and posts, unlike 100/33, which also names the account.
  missing_media: { code: 'VALIDATION_ERROR', says: '' },
  // A metric that does not exist, or that too few people contribute to.
  no_metric: { code: 'VALIDATION_ERROR', says: '' },
  not_understood: { code: 'PLATFORM_REJECTED', says: '' },
} as const satisfies Record<string, KindAnswer>;

interface KindCodes {
  readonly codes?: readonly number[];
  readonly subcodes?: readonly number[];
  /** Optional. For subcodes that mean something else with another code. */
  readonly pairs?: readonly string[];
}

/** Every documented code of the three products. */
const codesByKind: Readonly<Partial<Record<RefusalKind, KindCodes>>> = {
  app_limit: { codes: [4, 341] },
  account_limit: {
    codes: [9, 17, 32, 613, 132069, 133016, 138005, 138012, 2593107],
    subcodes: [1893015, 1893016, 1893063, 2018022, 2018352],
  },
  use_case_limit: { codes: Array.from({ length: 15 }, (_, index) => 80000 + index) },
  throughput_limit: { codes: [130429] },
  spam_limit: { codes: [131048] },
  recipient_limit: { codes: [131056, 138009], subcodes: [2018354] },
  quota: { subcodes: [2207042] },
  temporary: { codes: [1200, 131057, 133004, 2494100], subcodes: [2207008, 2207032, 2207053] },
  fault: { codes: [-1, 1, 2, 131000, 131016], subcodes: [2207001] },
  not_ready: { codes: [9007], subcodes: [2207027] },
  expired: { subcodes: [2207020] },
  credential: { codes: [102, 190] },
  permission: {
    codes: [0, 3, 10, 131005, ...Array.from({ length: 100 }, (_, index) => 200 + index)],
    subcodes: [2534041],
  },
  restricted: {
    codes: [368, 130497, 131031, 131037, 131042, 134011],
    subcodes: [2018344, 2207050, 2207051, 2494160, 2534029],
  },
  not_registered: { codes: [33, 131045, 133000, 133010, 133015] },
  window_closed: { codes: [470, 10901, 131047], subcodes: [2018065, 2018278, 2534022] },
  unreachable: {
    codes: [551, 10903, 131026, 131030, 131050, 138001, 138006, 2018108],
    subcodes: [1545041, 2018001, 2018108, 2534001, 2534014],
  },
  withheld: { codes: [130472, 131049], subcodes: [2534013] },
  held_elsewhere: { subcodes: [2018300] },
  reply_used: { codes: [10900], subcodes: [2534025] },
  duplicate: { codes: [506] },
  template: {
    codes: [132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132018, 132068, 134101, 134102],
  },
  media: {
    codes: [324, 352, 356, 382, 389, 390, 6000, 6001, 9004, 36000, 36001, 36003, 131052, 131053, 1366046],
    subcodes: [
      ...[2018007, 2018008, 2018034, 2018047, 2018074, 2018109, 2018294],
      ...[2207003, 2207004, 2207005, 2207009, 2207026, 2207052, 2207077, 2207082],
    ],
  },
  invalid: {
    codes: [
      ...[
        100, 110, 2500, 10303, 10902, 131008, 131009, 131021, 131051, 133005, 133006, 133008, 133009, 135000, 1609005,
      ],
      ...[2388019, 2388040, 2388047, 2388072, 2388073, 2388293, 2388299],
    ],
    subcodes: [2207010, 2207023, 2207028, 2207035, 2207036, 2207037, 2207040, 2207057, 2207067, 2207081],
  },
  missing: { codes: [803], pairs: ['100/33'] },
  missing_media: { codes: [24], subcodes: [2207006] },
};

type RowOf<Key> = ReadonlyMap<Key, RefusalKind>;

function rowsOf<Key>(codesOf: (codes: KindCodes) => readonly Key[] | undefined): RowOf<Key> {
  const entries = Object.entries(codesByKind) as [RefusalKind, KindCodes][];
  return new Map(entries.flatMap(([kind, codes]) => (codesOf(codes) ?? []).map((key) => [key, kind] as const)));
}

const byPair = rowsOf(({ pairs }) => pairs);
const bySubcode = rowsOf(({ subcodes }) => subcodes);
const byCode = rowsOf(({ codes }) => codes);

export interface RefusedCall {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  readonly isTransient: boolean;
  readonly retryAfterSeconds?: number | null;
}

/** Returns what a refusal of this call means. */
export function refusalOf(call: CallKind, refused: RefusedCall): Refusal {
  const kind = kindOf(call, refused);
  const answer: KindAnswer = answers[kind];
  const mayBeDone = kind === 'fault' && isWrite(call);
  const wait = refused.retryAfterSeconds ?? answer.waitSeconds ?? null;
  return {
    kind,
    code: mayBeDone ? 'PLATFORM_OUTCOME_UNKNOWN' : codeOf(kind, call),
    mayBeDone,
    retryAfterSeconds: answer.waitSeconds === undefined || mayBeDone ? null : wait,
    says: answer.says,
  };
}

function isWrite(call: CallKind): boolean {
  return call === 'write' || call === 'publish';
}

/** The request to publish has no fields that could be wrong. */
function codeOf(kind: RefusalKind, call: CallKind): PlatformRefusalCode {
  return call === 'publish' && (kind === 'missing' || kind === 'missing_media' || kind === 'invalid')
    ? 'CONTAINER_FAILED'
    : answers[kind].code;
}

function kindOf(call: CallKind, { status, code, subcode, isTransient }: RefusedCall): RefusalKind {
  const row = rowOf({ code, subcode });
  if (call === 'insights' && (row === 'permission' || row === 'invalid') && (code === 10 || code === 100)) {
    return 'no_metric';
  }
  if (status === 429 && !isLimit(row)) return 'app_limit';
  if (row !== undefined) return row;
  return isTransient || status >= 500 || status === 408 ? 'fault' : 'not_understood';
}

function rowOf({ code, subcode }: Codes): RefusalKind | undefined {
  const exact = subcode === null ? undefined : (byPair.get(`${code}/${subcode}`) ?? bySubcode.get(subcode));
  return exact ?? (code === null ? undefined : byCode.get(code));
}

function isLimit(kind: RefusalKind | undefined): boolean {
  return kind !== undefined && ('limitOf' in answers[kind] || kind === 'recipient_limit' || kind === 'quota');
}

/** Returns whether the codes say that nothing was done, also with a status of 500. */
export function isStatedRefusal(refused: RefusedCall): boolean {
  const row = rowOf(refused);
  return row !== undefined && row !== 'fault';
}

/** When a read that failed like this is repeated. */
export function repeatOf(refused: RefusedCall): 'soon' | 'hinted' | undefined {
  if (refused.isTransient) return 'soon';
  const { repeat }: KindAnswer = answers[rowOf(refused) ?? kindOf('read', refused)];
  return repeat === 'soon' && refused.status === 429 && rowOf(refused) === undefined ? 'hinted' : repeat;
}

type Codes = Pick<RefusedCall, 'code' | 'subcode'>;

/** Only the account's owner can mend an invalid token or session. */
export function isDeadCredential(codes: Codes): boolean {
  return rowOf(codes) === 'credential';
}

/**
 * Also true if the account cannot see the object. For days at a time, the platform has answered so for objects that it had
 * just accepted: never end anything because of one such read.
 */
export function isMissingObject(codes: Codes): boolean {
  return rowOf(codes) === 'missing' || isMissingMedia(codes);
}

/** Names containers and posts, unlike 100/33, which also names the account. */
export function isMissingMedia(codes: Codes): boolean {
  return rowOf(codes) === 'missing_media';
}

/** Returns true if the refusal of a read means only that the account cannot see the object. */
export function isNotShown(codes: Codes): boolean {
  const row = rowOf(codes);
  return isMissingObject(codes) || row === 'invalid' || row === 'permission' || row === 'not_registered';
}

export interface RateLimit {
  readonly of: 'app' | 'account';
  /** Null if the platform does not say. */
  readonly retryAfterSeconds: number | null;
}

/** Returns undefined for any other error. */
export function rateLimitOf(error: unknown): RateLimit | undefined {
  const rejected = error instanceof PlatformUnavailable ? error.cause : error;
  if (!(rejected instanceof PlatformRejected)) return undefined;
  const { kind } = refusalOf('read', rejected);
  const { limitOf } = answers[kind] as KindAnswer;
  return limitOf && { of: limitOf, retryAfterSeconds: rejected.retryAfterSeconds };
}
