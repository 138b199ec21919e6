import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { conversationColumns } from './content-view.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type Listing, type PageOptions, type PageQuery, showList, withPages } from '../commands/listing.ts';
import type { Run } from '../commands/run.ts';

export interface ConversationOptions {
  readonly conversation?: string;
  readonly with?: string;
}

export interface InsightOptions {
  readonly metrics?: string;
  readonly period?: 'day' | 'week' | 'days_28' | 'lifetime';
  readonly since?: string;
  readonly until?: string;
}

export const periods = ['day', 'week', 'days_28', 'lifetime'] as const;

export function withConversations(command: Command): Command {
  return withPages(command)
    .option('--conversation <id>', 'ID of one conversation, shown with its messages')
    .option('--with <person>', 'platform user ID of the participant');
}

interface ConversationQuery extends PageQuery {
  readonly conversationId?: string;
  readonly participantId?: string;
}

type ConversationListing = Listing<'conversations', Schema<'Conversation'>>;

export async function showConversations(
  run: Run,
  options: PageOptions & ConversationOptions,
  read: (query: ConversationQuery) => ReturnType<ConversationListing['read']>,
): Promise<void> {
  const filters = omitUndefined({ conversationId: options.conversation, participantId: options.with });
  await showList(run, options, {
    name: 'conversations',
    columns: conversationColumns,
    empty: 'No conversations found.',
    read: (query) => read({ ...filters, ...query }),
  });
}

export function withReply(command: Command, field: '--text' | '--message'): Command {
  return command
    .requiredOption(`${field} <text>`, 'text of the reply')
    .option('--private', 'reply by private message; once per comment, within 7 days')
    .option('--idempotency-key <key>', 'key that makes a retry safe');
}

export interface ReplyOptions {
  readonly private?: boolean;
  readonly idempotencyKey?: string;
}

export const commentActions = ['hide', 'unhide', 'delete'] as const;
export type CommentAction = (typeof commentActions)[number];
