import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { CallMethod, SubjectKind } from './edges.ts';

/**
 * The scope that an agent's channel token needs for a gateway call, the same as in the management API. Without a rule,
 * reads need `channel.read` and writes `channel.manage`.
 */
interface CallRule {
  readonly object?: GatewayScope;
  /** Optional. `*` matches edges without a rule. */
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

/** For the sealed URLs that the gateway issues. */
export const fileScopes = { media: 'messages.read', uploads: 'channel.manage' } as const satisfies Record<
  string,
  GatewayScope
>;

/** These show messages on any object: `fields=conversations{messages{message}}`. */
const messageFields: ReadonlySet<string> = new Set(['conversations', 'messages', 'threads']);

export interface ScopedCall {
  readonly kind: SubjectKind;
  readonly edge: string | undefined;
  readonly method: CallMethod;
  readonly fields: readonly string[];
}

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
