import test, { type ExecutionContext } from 'ava';
import { personExportLine } from '../../../openapi/erasures/export-schema.ts';
import { testApi } from '../../harness/api/api.ts';
import { imageBody } from '../../harness/containers/containers.ts';
import { aScheduledMessage, aScheduledPost } from '../../harness/scheduled/scheduled.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function exportStage(t: ExecutionContext) {
  const { db, call } = await testApi(t);
  const { apiKey: key, organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const route = `POST /organizations/${organization.publicId}/person-exports`;
  const lines = async (sender: string) => {
    const { body } = await call(route, { key, body: { sender, reason: 'asked for' } });
    const texts = String(body).trimEnd().split('\n');
    return texts.map((line) => personExportLine.parse(JSON.parse(line)));
  };
  return { db, channel, workspace, lines };
}

test('an export contains the scheduled posts that name a person', async (t) => {
  const { lines, db, channel, workspace } = await exportStage(t);
  const place = { channel, workspace };
  const body = { ...imageBody, caption: 'Hello @15550001' };
  const { publicId } = await aScheduledPost(db, { ...place, content: body });
  await aScheduledPost(db, { ...place, content: body, status: 'started' });
  await aScheduledPost(db, { ...place, content: body, status: 'cancelled' });
  await aScheduledPost(db, { ...place, content: { ...body, caption: 'Hello @155500012' } });
  t.like(await lines('15550001'), {
    1: { type: 'scheduled_post', scheduledPostId: publicId, status: 'scheduled', container: body },
    2: { type: 'scheduled_post', status: 'started', container: body },
    3: { type: 'end', counts: { scheduledPosts: 2 } },
    length: 4,
  });
});

test('an export contains the scheduled messages to a person', async (t) => {
  const { lines, db, channel, workspace } = await exportStage(t);
  const message = { to: '15550001', text: 'See you' };
  const { publicId } = await aScheduledMessage(db, { channel, workspace, content: message });
  await aScheduledMessage(db, { channel, workspace, status: 'sent', content: message });
  await aScheduledMessage(db, { channel, workspace, content: { ...message, to: '155500012' } });
  t.like(await lines('+1 555 0001'), {
    1: { type: 'scheduled_message', scheduledMessageId: publicId, status: 'scheduled', message },
    2: { type: 'scheduled_message', status: 'sent', message: null },
    3: { type: 'end', counts: { scheduledMessages: 2 } },
    length: 4,
  });
});
