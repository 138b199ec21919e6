import { Argument, type Command } from 'commander';
import { addCommand } from '../commands/arguments.ts';
import { showReply } from './content-view.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type CommentAction, commentActions, type ReplyOptions, withReply } from './platform-lists.ts';
import type { Act, Run } from '../commands/run.ts';

export function addPhotoappActions(photoapp: Command, act: Act): void {
  withReply(
    addCommand(photoapp, 'reply <channel> <comment>', {
      summary: 'Reply to a comment',
      examples: ["channels photoapp reply ch_4fT9aPq2 17900000000000001 --text 'Thank you'"],
    }),
    '--text',
  ).action(act(reply));
  addCommand(photoapp, 'moderate-comment <channel> <comment>', {
    summary: 'Hide, unhide or delete a comment',
    examples: ['channels photoapp moderate-comment ch_4fT9aPq2 17900000000000001 hide'],
  })
    .addArgument(new Argument('<action>', 'moderation action').choices(commentActions))
    .action(act(moderateComment));
  addCommand(photoapp, 'moderate-media <channel> <media>', {
    summary: 'Enable or disable comments on a post',
    examples: ['channels photoapp moderate-media ch_4fT9aPq2 17800000000000001 disable_comments'],
  })
    .addArgument(new Argument('<action>', 'moderation action').choices(['enable_comments', 'disable_comments']))
    .action(act(moderateMedia));
}

async function reply(
  run: Run,
  ...[ch, commentId, options]: [string, string, ReplyOptions & { text: string }]
): Promise<void> {
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/photoapp/comments/{commentId}/replies', {
    params: { path: { ch, commentId }, header: omitUndefined({ 'Idempotency-Key': options.idempotencyKey }) },
    body: { text: options.text, private: options.private === true },
  });
  showReply(run, answer);
}

async function moderateComment(run: Run, ...[ch, commentId, action]: [string, string, CommentAction]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, commentId } };
  const answer = await client.post('/channels/{ch}/photoapp/comments/{commentId}/moderate', {
    params,
    body: { action },
  });
  run.output.done(answer, `Applied ${action} to ${commentId}.`);
}

type MediaAction = 'enable_comments' | 'disable_comments';

async function moderateMedia(run: Run, ...[ch, mediaId, action]: [string, string, MediaAction]): Promise<void> {
  const client = await run.client();
  const params = { path: { ch, mediaId } };
  const answer = await client.post('/channels/{ch}/photoapp/media/{mediaId}/moderate', { params, body: { action } });
  run.output.done(answer, `Applied ${action} to ${mediaId}.`);
}
