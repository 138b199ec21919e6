import test from 'ava';
import { personExportLine } from '../../../openapi/erasures/export-schema.ts';
import { testApi } from '../../harness/api/api.ts';
import { aScheduledMessage } from '../../harness/operations/scheduled-messages.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('an export contains the scheduled messages to a person', async (t) => {
  const { db, call } = await testApi(t);
  const { apiKey: key, organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const message = { to: '15550001', text: 'See you' };
  const { publicId } = await aScheduledMessage(db, { channel, workspace, values: { message } });
  await aScheduledMessage(db, { channel, workspace, status: 'sent', values: { message } });
  await aScheduledMessage(db, { channel, workspace, values: { message: { ...message, to: '155500012' } } });
  const route = `POST /organizations/${organization.publicId}/person-exports`;
  const { body } = await call(route, { key, body: { sender: '+1 555 0001', reason: 'asked for' } });
  const lines = String(body)
    .trimEnd()
    .split('\n')
    .map((line) => personExportLine.parse(JSON.parse(line)));
  t.like(lines, {
    1: { type: 'scheduled_message', scheduledMessageId: publicId, status: 'scheduled', message },
    2: { type: 'scheduled_message', status: 'sent', message: null },
    3: { type: 'end', counts: { scheduledMessages: 2 } },
    length: 4,
  });
});
