import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ScheduledPostStatus, scheduledPostStatuses } from '../../contract/containers/scheduled-post.ts';
import { addCommand, addGroup, choiceOption, parseDueTime } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { containerInput } from './container-input.ts';
import { type CellValue, timeCell, type Tone } from '../terminal/output.ts';

type ScheduledPost = Schema<'ScheduledPost'>;

const tones: Readonly<Record<ScheduledPostStatus, Tone>> = {
  scheduled: 'busy',
  started: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

export function addScheduledPosts(containers: Command, act: Act): void {
  const scheduled = addGroup(containers, 'scheduled', 'Manage posts that are published later');
  withPages(
    addCommand(scheduled, 'list <channel>', {
      summary: 'List scheduled posts, newest first',
      examples: ['channels containers scheduled list ch_4fT9aPq2 --status scheduled'],
    }),
  )
    .addOption(choiceOption('--status <status>', 'status to show', scheduledPostStatuses))
    .action(act(list));
  addCommand(scheduled, 'show <channel> <post>', {
    summary: 'Show a scheduled post',
    examples: ['channels containers scheduled show ch_4fT9aPq2 sp_8kLm3Qz1'],
  }).action(act(show));
  addCommand(scheduled, 'change <channel> <post>', {
    summary: 'Change the time or the content of a post that has not started',
    examples: [
      'channels containers scheduled change ch_4fT9aPq2 sp_8kLm3Qz1 --publish-at 2h',
      'channels containers scheduled change ch_4fT9aPq2 sp_8kLm3Qz1 --input post.json',
    ],
  })
    .option('--publish-at <time>', 'new time: 30m, 2h or 7d from now, or an ISO 8601 timestamp')
    .option('--input <file>', 'new content as a JSON file; - reads standard input')
    .action(act(change));
  addCommand(scheduled, 'cancel <channel> <post>', {
    summary: 'Cancel a post that has not started',
    examples: ['channels containers scheduled cancel ch_4fT9aPq2 sp_8kLm3Qz1'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(cancel));
}

export function showScheduledPost({ output }: Run, post: ScheduledPost): void {
  output.record(post, [
    ['Scheduled post', post.scheduledPostId],
    ['Status', statusCell(post)],
    ['Reason', post.reason],
    ['Detail', post.statusDetail],
    ['Publish at (UTC)', timeCell(post.publishAt)],
    ['Container', post.containerId],
    ['Content', post.container === null ? null : JSON.stringify(post.container)],
    ['Scheduled by', post.createdBy],
    ['Created (UTC)', timeCell(post.createdAt)],
    ['Ended (UTC)', timeCell(post.endedAt)],
  ]);
}

function statusCell({ status }: ScheduledPost): CellValue {
  return { text: status, tone: tones[status] };
}

async function list(
  run: Run,
  ...[ch, options]: [string, PageOptions & { readonly status?: ScheduledPostStatus }]
): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'scheduledPosts',
    empty: 'No scheduled posts found.',
    columns: [
      { title: 'PUBLISH AT (UTC)', of: ({ publishAt }: ScheduledPost) => timeCell(publishAt) },
      { title: 'POST', of: ({ scheduledPostId }) => scheduledPostId },
      { title: 'STATUS', of: statusCell },
      { title: 'CONTAINER', of: ({ containerId }) => containerId },
      { title: 'DETAIL', of: ({ statusDetail }) => statusDetail },
    ],
    read: (query) =>
      client.get('/channels/{ch}/photoapp/scheduled-posts', {
        params: { path: { ch }, query: { ...query, ...omitUndefined({ status: options.status }) } },
      }),
  });
}

async function show(run: Run, ...[ch, sp]: [string, string]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, sp } };
  showScheduledPost(run, await client.get('/channels/{ch}/photoapp/scheduled-posts/{sp}', { params }));
}

async function change(
  run: Run,
  ...[ch, sp, { publishAt, input }]: [string, string, { readonly publishAt?: string; readonly input?: string }]
): Promise<void> {
  if (publishAt === undefined && input === undefined)
    throw usageError('Nothing to change. Use --publish-at or --input.');
  const container = input === undefined ? undefined : await containerInput(run.world, { input });
  const body = omitUndefined({
    publishAt: publishAt === undefined ? undefined : parseDueTime(publishAt, run.world),
    container,
  });
  const client = await run.client();
  const params = { path: { ch, sp } };
  showScheduledPost(run, await client.patch('/channels/{ch}/photoapp/scheduled-posts/{sp}', { params, body }));
}

async function cancel(run: Run, ...[ch, sp, options]: [string, string, { yes?: boolean }]): Promise<void> {
  await confirm(run.world, `Cancel ${sp}?`, options);
  const client = await run.client();
  const params = { path: { ch, sp } };
  const cancelled = await client.post('/channels/{ch}/photoapp/scheduled-posts/{sp}/cancel', { params });
  run.output.done(cancelled, `${sp} is cancelled.`);
}
