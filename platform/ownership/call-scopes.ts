import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { CallMethod, SubjectKind } from './edges.ts';

/**
 * Which scope of an agent's channel token a call at the gateway needs, as data. Reads of conversations, messages and
 * their files need `messages.read`, all others `channel.read`. What is part of sending a message needs `message.send`,
 * every other write `channel.manage`. The management API asks for the same scopes.
 */
interface CallRule {
  /** On the object itself. */
  readonly object?: GatewayScope;
  /** On its edges; `*` is every edge that is not named. */
  readonly edges?: Readonly<Record<string, GatewayScope>>;
}

type CallRules = Readonly<Partial<Record<SubjectKind, CallRule>>>;

const readRules: CallRules = {
  page: { edges: { conversations: 'messages.read' } },
  photo_account: { edges: { conversations: 'messages.read' } },
  thread: { object: 'messages.read', edges: { '*': 'messages.read' } },
  message: { object: 'messages.read', edges: { '*': 'messages.read' } },
  file: { object: 'messages.read' },
};

const writeRules: CallRules = {
  number: { edges: { messages: 'message.send', marketing_messages: 'message.send', media: 'message.send' } },
  page: { edges: { messages: 'message.send', message_attachments: 'message.send' } },
  photo_account: { edges: { messages: 'message.send' } },
};

/** Of the sealed addresses that the gateway gives out: files of messages, and uploads of posts. */
export const fileScopes = { media: 'messages.read', uploads: 'channel.manage' } as const satisfies Record<
  string,
  GatewayScope
>;

/** Fields that show messages on whatever object they are asked of, as `fields=conversations{messages{message}}` does. */
const messageFields: ReadonlySet<string> = new Set(['conversations', 'messages', 'threads']);

export interface ScopedCall {
  readonly kind: SubjectKind;
  /** Undefined for the object itself. */
  readonly edge: string | undefined;
  readonly method: CallMethod;
  /** The lists of fields that are asked for. */
  readonly fields: readonly string[];
}

/** Returns the scopes that a call needs, all of them. */
export function scopesOfCall({ kind, edge, method, fields }: ScopedCall): GatewayScope[] {
  const isRead = method === 'GET';
  const rule = (isRead ? readRules : writeRules)[kind];
  const ruled = edge === undefined ? rule?.object : (rule?.edges?.[edge] ?? rule?.edges?.['*']);
  const own = ruled ?? (isRead ? 'channel.read' : 'channel.manage');
  return own !== 'messages.read' && fields.some(showMessages) ? [own, 'messages.read'] : [own];
}

function showMessages(fields: string): boolean {
  return (fields.match(/\w+/g) ?? []).some((name) => messageFields.has(name.toLowerCase()));
}
