import test from 'ava';
import { imageBody } from '../../harness/containers/containers.ts';
import { personStage } from '../../harness/erasures/person-stage.ts';
import { aScheduledMessage, aScheduledPost } from '../../harness/scheduled/scheduled.ts';

test('an export contains the scheduled posts that name a person', async (t) => {
  const { exported, db, channel, workspace } = await personStage(t);
  const place = { channel, workspace };
  const body = { ...imageBody, caption: 'Hello @15550001' };
  const { publicId } = await aScheduledPost(db, { ...place, content: body });
  await aScheduledPost(db, { ...place, content: body, status: 'started' });
  await aScheduledPost(db, { ...place, content: body, status: 'cancelled' });
  await aScheduledPost(db, { ...place, content: { ...body, caption: 'Hello @155500012' } });
  t.like(await exported('15550001'), {
    1: { type: 'scheduled_post', scheduledPostId: publicId, status: 'scheduled', container: body },
    2: { type: 'scheduled_post', status: 'started', container: body },
    3: { type: 'end', counts: { scheduledPosts: 2 } },
    length: 4,
  });
});

test('an export contains the scheduled messages to a person', async (t) => {
  const { exported, db, channel, workspace } = await personStage(t);
  const message = { to: '15550001', text: 'See you' };
  const { publicId } = await aScheduledMessage(db, { channel, workspace, content: message });
  await aScheduledMessage(db, { channel, workspace, status: 'sent', content: message });
  await aScheduledMessage(db, { channel, workspace, content: { ...message, to: '155500012' } });
  t.like(await exported('+1 555 0001'), {
    1: { type: 'scheduled_message', scheduledMessageId: publicId, status: 'scheduled', message },
    2: { type: 'scheduled_message', status: 'sent', message: null },
    3: { type: 'end', counts: { scheduledMessages: 2 } },
    length: 4,
  });
});
