import type { Schema } from '../../client/create-client.ts';
import { type Column, formatTime, timeCell } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';

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
      of: Object.values(dimensions).join(', '),
      value: String(value),
    })),
  ]);
  if (rows.length > 0) {
    output.table(rows, [
      { title: 'METRIC', of: ({ name }) => name },
      { title: 'PERIOD', of: ({ period }) => period },
      { title: 'UNTIL / BREAKDOWN', of: ({ of }) => of },
      { title: 'VALUE', of: ({ value }) => value },
    ]);
  }
  if (answer.unavailable.length > 0) output.note(`Not available from the platform: ${answer.unavailable.join(', ')}.`);
}

function valueText(value: number | Readonly<Record<string, number>> | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '-');
  return Object.entries(value)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

export const conversationColumns: readonly Column<Schema<'Conversation'>>[] = [
  { title: 'CONVERSATION', of: ({ id }) => id },
  { title: 'WITH', of: ({ participantName, participantId }) => participantName ?? participantId },
  { title: 'UPDATED (UTC)', of: ({ updatedAt }) => timeCell(updatedAt) },
  { title: 'UNREAD', of: ({ unreadCount }) => unreadCount },
  {
    title: 'LAST / MESSAGES',
    of: ({ snippet, messages }) => messages?.map(({ text }) => text ?? '…').join(' | ') ?? snippet,
  },
];

export function showReply({ output }: Run, reply: Schema<'CommentReply'>): void {
  const id = reply.replyId ?? reply.messageId;
  output.done(reply, `Replied${reply.private ? ' privately' : ''}${id === null ? '' : `: ${id}`}.`);
}
