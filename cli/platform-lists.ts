import type { Command } from 'commander';
import { withPages } from './listing.ts';

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
    .option('--conversation <id>', 'only this one, with its messages')
    .option('--with <person>', 'only those with this person');
}

export function withReply(command: Command, field: '--text' | '--message'): Command {
  return command
    .requiredOption(`${field} <text>`, 'what to say')
    .option('--private', 'as a message to who commented: once for each comment, within 7 days')
    .option('--idempotency-key <key>', 'makes a repeat harmless');
}

export interface ReplyOptions {
  readonly private?: boolean;
  readonly idempotencyKey?: string;
}

export const commentActions = ['hide', 'unhide', 'delete'] as const;
export type CommentAction = (typeof commentActions)[number];
