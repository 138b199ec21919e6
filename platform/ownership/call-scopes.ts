import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { CallMethod, SubjectKind } from './edges.ts';

/**
 * The scope that an agent's channel token needs for a gateway call. Reads of conversations, messages and their files
 * need `messages.read`, other reads `channel.read`. Sending messages needs `message.send`, other writes
 * `channel.manage`. The management API requires the same scopes.
 */
interface CallRule {
  /** Optional. For the object itself. */
  readonly object?: GatewayScope;
  /** Optional. For its edges; `*` matches all edges without a rule. */
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

/** Scopes of the sealed URLs that the gateway issues. */
export const fileScopes = { media: 'messages.read', uploads: 'channel.manage' } as const satisfies Record<
  string,
  GatewayScope
>;

/** Fields that show messages on any object, as in `fields=conversations{messages{message}}`. */
const messageFields: ReadonlySet<string> = new Set(['conversations', 'messages', 'threads']);

export interface ScopedCall {
  readonly kind: SubjectKind;
  /** Undefined for the object itself. */
  readonly edge: string | undefined;
  readonly method: CallMethod;
  /** The values of the `fields` parameters. */
  readonly fields: readonly string[];
}

/** Returns all scopes that a call needs. */
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
