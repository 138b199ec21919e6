import test from 'ava';
import { demoValues } from '../../../dev/demo/demo.ts';
import { StopList } from '../../../dev/processes/stop-list.ts';

const addresses = {
  baseUrl: 'http://127.0.0.1:3000',
  gatewayUrl: 'http://127.0.0.1:3001',
  temporalUiUrl: 'http://127.0.0.1:8233',
  temporalAddress: '127.0.0.1:7233',
  databaseUrl: 'postgres://localhost/db',
  simulatorUrl: 'http://127.0.0.1:3100',
  receiverUrl: 'http://127.0.0.1:3101',
  mailInboxUrl: 'http://127.0.0.1:3102',
  platformAppSecret: 'secret',
};
const tenants = {
  organizationId: 'org_1',
  workspaceId: 'ws_1',
  customerWorkspaceId: 'ws_2',
  apiKey: 'hmok_1',
  channels: {
    chatapp: { id: 'ch_1', resourceId: '1' },
    photoapp: { id: 'ch_2', resourceId: '2' },
    pageapp: { id: 'ch_3', resourceId: '3' },
  },
  other: { apiKey: 'hmok_2', workspaceId: 'ws_3', channelId: 'ch_4' },
  staffApiKey: 'hmok_3',
};
const names =
  'BASE_URL GATEWAY_URL TEMPORAL_UI_URL TEMPORAL_ADDRESS DATABASE_URL SIMULATOR_URL RECEIVER_URL MAIL_INBOX_URL ' +
  'PLATFORM_APP_SECRET SERVICE_API_KEY SERVICE_ORGANIZATION_ID SERVICE_WORKSPACE_ID CUSTOMER_WORKSPACE_ID CHATAPP_CHANNEL_ID ' +
  'CHATAPP_RESOURCE_ID PHOTOAPP_CHANNEL_ID PHOTOAPP_RESOURCE_ID PAGEAPP_CHANNEL_ID PAGEAPP_RESOURCE_ID ' +
  'OTHER_API_KEY OTHER_WORKSPACE_ID OTHER_CHANNEL_ID STAFF_API_KEY';

test('the demo file has every documented name', (t) => {
  t.deepEqual(Object.keys(demoValues({ addresses, tenants })), names.split(' '));
});

test('the demo file omits the names of missing parts', (t) => {
  const values = demoValues({ addresses: { ...addresses, temporalUiUrl: undefined }, tenants });

  t.false('TEMPORAL_UI_URL' in values);
});

test('everything is stopped in reverse order, even after a failure', async (t) => {
  const stopped: string[] = [];
  const messages: string[] = [];
  const stops = new StopList((text) => messages.push(text));
  stops.add({ name: 'first', stop: async () => void stopped.push('first') });
  stops.add({ name: 'second', stop: () => Promise.reject(new Error('stuck')) });
  stops.add({ name: 'third', stop: async () => void stopped.push('third') });

  await stops.stopAll();

  t.deepEqual(stopped, ['third', 'first']);
  t.true(messages.includes('second did not stop cleanly: stuck'));
});
