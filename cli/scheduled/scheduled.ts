import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import {
  scheduledMessageStatuses,
  scheduledPostStatuses,
  type ScheduledStatus,
} from '../../contract/scheduled/scheduled.ts';
import { addCommand, addGroup, choiceOption, parseDueTime } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { type CellValue, timeCell, type Tone } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';

/** A message or a post, by the names of its fields. */
type Scheduled = Readonly<Record<string, unknown>>;
type Titles = readonly (readonly [title: string, field: string])[];

const TIME = 'new time: 30m, 2h or 7d from now, or an ISO 8601 timestamp';

const messages = {
  noun: 'message',
  command: 'messages scheduled',
  about: 'Manage messages that are sent later',
  showSummary: 'Show a scheduled message with its content',
  notYet: 'that is not sent yet',
  id: 'sm_8kLm3Qz1',
  path: '/channels/{ch}/scheduled-messages',
  statuses: scheduledMessageStatuses,
  timeField: 'sendAt',
  contentField: 'message',
  nothing: 'Nothing to change. Use --send-at, --to and --text, or --input.',
  changeOptions: [
    ['--send-at <time>', TIME],
    ['--to <person>', 'recipient of the new text'],
    ['--text <text>', 'new text; - reads standard input'],
    ['--input <file>', 'new platform message as a JSON file; - reads standard input'],
  ],
  changes: ['--send-at 2h', "--to 15551230000 --text 'See you at 10'"],
  columns: [
    ['SEND AT (UTC)', 'sendAt'],
    ['MESSAGE', 'scheduledMessageId'],
    ['STATUS', 'status'],
    ['TO', 'recipient'],
    ['DETAIL', 'statusDetail'],
  ],
  fields: [
    ['Scheduled message', 'scheduledMessageId'],
    ['Status', 'status'],
    ['Reason', 'reason'],
    ['Detail', 'statusDetail'],
    ['Send at (UTC)', 'sendAt'],
    ['To', 'recipient'],
    ['Content', 'message'],
    ['Platform message', 'platformMessageId'],
    ['Scheduled by', 'createdBy'],
    ['Created (UTC)', 'createdAt'],
    ['Ended (UTC)', 'endedAt'],
  ],
} as const;

const posts = {
  noun: 'post',
  command: 'containers scheduled',
  about: 'Manage posts that are published later',
  showSummary: 'Show a scheduled post',
  notYet: 'that has not started',
  id: 'sp_8kLm3Qz1',
  path: '/channels/{ch}/photoapp/scheduled-posts',
  statuses: scheduledPostStatuses,
  timeField: 'publishAt',
  contentField: 'container',
  nothing: 'Nothing to change. Use --publish-at or --input.',
  changeOptions: [
    ['--publish-at <time>', TIME],
    ['--input <file>', 'new content as a JSON file; - reads standard input'],
  ],
  changes: ['--publish-at 2h', '--input post.json'],
  columns: [
    ['PUBLISH AT (UTC)', 'publishAt'],
    ['POST', 'scheduledPostId'],
    ['STATUS', 'status'],
    ['CONTAINER', 'containerId'],
    ['DETAIL', 'statusDetail'],
  ],
  fields: [
    ['Scheduled post', 'scheduledPostId'],
    ['Status', 'status'],
    ['Reason', 'reason'],
    ['Detail', 'statusDetail'],
    ['Publish at (UTC)', 'publishAt'],
    ['Container', 'containerId'],
    ['Content', 'container'],
    ['Scheduled by', 'createdBy'],
    ['Created (UTC)', 'createdAt'],
    ['Ended (UTC)', 'endedAt'],
  ],
} as const;

type Kind = typeof messages | typeof posts;
type ChangeOptions = Readonly<Record<string, string>>;
/** Reads the content that the options name. */
type ContentOf = (run: Run, options: ChangeOptions) => Promise<object>;

const tones: Readonly<Record<ScheduledStatus, Tone>> = {
  scheduled: 'busy',
  sending: 'busy',
  sent: 'good',
  started: 'good',
  failed: 'bad',
  unknown: 'bad',
  cancelled: 'quiet',
};

function cellOf(scheduled: Scheduled, field: string): CellValue {
  const value = scheduled[field];
  if (field.endsWith('At')) return timeCell(value);
  if (field === 'status') return { text: String(value), tone: tones[value as ScheduledStatus] };
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null);
}

function showRecord({ output }: Run, { fields }: { readonly fields: Titles }, scheduled: Scheduled): void {
  output.record(
    scheduled,
    fields.map(([title, field]) => [title, cellOf(scheduled, field)]),
  );
}

export function showScheduledMessage(run: Run, message: Schema<'ScheduledMessage'>): void {
  showRecord(run, messages, message);
}

export function showScheduledPost(run: Run, post: Schema<'ScheduledPost'>): void {
  showRecord(run, posts, post);
}

export function addScheduledMessages(parent: Command, act: Act, contentOf: ContentOf): void {
  addScheduled(parent, act, { kind: messages, contentOf });
}

export function addScheduledPosts(parent: Command, act: Act, contentOf: ContentOf): void {
  addScheduled(parent, act, { kind: posts, contentOf });
}

interface Added {
  readonly kind: Kind;
  readonly contentOf: ContentOf;
}

function addScheduled(parent: Command, act: Act, { kind, contentOf }: Added): void {
  const { noun, command, notYet, id, path } = kind;
  const group = addGroup(parent, 'scheduled', kind.about);
  withPages(
    addCommand(group, 'list <channel>', {
      summary: `List scheduled ${noun}s, newest first`,
      examples: [`channels ${command} list ch_4fT9aPq2 --status scheduled`],
    }),
  )
    .addOption(choiceOption('--status <status>', 'status to show', kind.statuses))
    .action(
      act(async (run, ...[ch, options]: [string, PageOptions & { readonly status?: string }]) => {
        const { get } = await callsOf(run);
        await showList(run, options, {
          name: noun === 'message' ? 'scheduledMessages' : 'scheduledPosts',
          empty: `No scheduled ${noun}s found.`,
          columns: kind.columns.map(([title, field]) => ({ title, of: (one: Scheduled) => cellOf(one, field) })),
          read: (page) =>
            get(path, { params: { path: { ch }, query: { ...page, ...omitUndefined({ status: options.status }) } } }),
        });
      }),
    );
  addCommand(group, `show <channel> <${noun}>`, {
    summary: kind.showSummary,
    examples: [`channels ${command} show ch_4fT9aPq2 ${id}`],
  }).action(
    act(async (run, ...[ch, one]: [string, string]) => {
      const { get } = await callsOf(run);
      showRecord(run, kind, await get(...at(ch, one)));
    }),
  );
  const change = addCommand(group, `change <channel> <${noun}>`, {
    summary: `Change the time or the content of a ${noun} ${notYet}`,
    examples: kind.changes.map((flags) => `channels ${command} change ch_4fT9aPq2 ${id} ${flags}`),
  });
  for (const [flags, description] of kind.changeOptions) change.option(flags, description);
  change.action(
    act(async (run, ...[ch, one, options]: [string, string, ChangeOptions]) => {
      const { [kind.timeField]: time, ...content } = options;
      const hasContent = Object.keys(content).length > 0;
      if (time === undefined && !hasContent) throw usageError(kind.nothing);
      const body = omitUndefined({
        [kind.timeField]: time === undefined ? undefined : parseDueTime(time, run.world),
        [kind.contentField]: hasContent ? await contentOf(run, content) : undefined,
      });
      const { patch } = await callsOf(run);
      const [itsPath, itsParams] = at(ch, one);
      showRecord(run, kind, await patch(itsPath, { ...itsParams, body }));
    }),
  );
  addCommand(group, `cancel <channel> <${noun}>`, {
    summary: `Cancel a ${noun} ${notYet}`,
    examples: [`channels ${command} cancel ch_4fT9aPq2 ${id}`],
  })
    .option('--yes', 'skip the confirmation')
    .action(
      act(async (run, ...[ch, one, options]: [string, string, { yes?: boolean }]) => {
        await confirm(run.world, `Cancel ${one}?`, options);
        const { post } = await callsOf(run);
        const [itsPath, itsParams] = at(ch, one);
        run.output.done(await post(`${itsPath}/cancel`, itsParams), `${one} is cancelled.`);
      }),
    );

  function at(ch: string, one: string) {
    const parameter = noun === 'message' ? 'sm' : 'sp';
    return [`${path}/{${parameter}}`, { params: { path: { ch, [parameter]: one } } }] as const;
  }
}

type Call = (path: string, options: object) => Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- the two kinds have different bodies

/** TypeScript can't resolve the path of a kind. */
async function callsOf(run: Run) {
  return (await run.client()) as unknown as Readonly<Record<'get' | 'patch' | 'post', Call>>;
}
