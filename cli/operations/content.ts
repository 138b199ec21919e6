import type { Schema } from '../../client/create-client.ts';
import type { Run } from '../commands/run.ts';
import { type Flags, idempotencyKey, oneOf, pages } from '../commands/flags.ts';
import { formatTime, type View } from '../terminal/output.ts';

interface Metrics {
  readonly targetId: string;
  readonly metrics: readonly Schema<'InsightMetric'>[];
  readonly unavailable: readonly string[];
}

export function showMetrics({ output }: Run, answer: Metrics): void {
  if (output.isJson) return output.json(answer);
  const rows = answer.metrics.flatMap(({ name, period, values, breakdown }) => [
    ...values.map(({ value, endTime }) => ({ name, period, of: formatTime(endTime), value: valueText(value) })),
    ...(breakdown ?? []).map(({ dimensions, value }) => ({
      name,
      period,
      value: String(value),
      of: Object.values(dimensions).join(', '),
    })),
  ]);
  if (rows.length > 0)
    output.table(rows, { METRIC: 'name', PERIOD: 'period', 'UNTIL / BREAKDOWN': 'of', VALUE: 'value' });
  if (answer.unavailable.length > 0) output.note(`Not available from the platform: ${answer.unavailable.join(', ')}.`);
}

function valueText(value: number | Readonly<Record<string, number>> | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '-');
  return Object.entries(value)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

export const periods = oneOf(['day', 'week', 'days_28', 'lifetime']);

const columns: View<Schema<'Conversation'>> = {
  CONVERSATION: 'id',
  WITH: ({ participantName, participantId }) => participantName ?? participantId,
  'UPDATED (UTC)': 'updatedAt',
  UNREAD: 'unreadCount',
  'LAST / MESSAGES': ({ snippet, messages }) => messages?.map(({ text }) => text ?? '…').join(' | ') ?? snippet,
};

export const conversations = {
  summary: 'List conversations, or show one with its messages',
  examples: 'ch_4fT9aPq2',
  flags: {
    ...pages,
    conversationId: ['--conversation <id>', 'ID of one conversation, shown with its messages'],
    participantId: ['--with <person>', 'platform user ID of the participant'],
  },
  columns,
} as const;

export const replyFlags = {
  private: ['--private', 'reply by private message; once per comment, within 7 days'],
  ...idempotencyKey,
} as const satisfies Flags;

export function replied({ replyId, messageId, private: isPrivate }: Schema<'CommentReply'>): string {
  const id = replyId ?? messageId;
  return `Replied${isPrivate ? ' privately' : ''}${id === null ? '' : `: ${id}`}.`;
}

export const commentAction = { action: { text: 'moderation action', choices: ['hide', 'unhide', 'delete'] } };

export const applied = (_: unknown, [, id, action]: readonly string[]): string => `Applied ${action} to ${id}.`;
