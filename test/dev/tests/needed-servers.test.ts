import test from 'ava';
import { neededServers } from '../../../dev/tests/needed-servers.ts';

test('a unit test needs no server', (t) => {
  t.deepEqual([...neededServers(['test/contract/ids.test.ts'])], []);
});

test('a server is needed if any imported file reads its address', (t) => {
  t.deepEqual([...neededServers(['test/api/subscriptions/subscriptions.test.ts'])], ['TEST_DATABASE_URL']);
  t.deepEqual([...neededServers(['test/system/webhooks/webhook-save.test.ts', '--serial'])].sort(), [
    'TEST_DATABASE_URL',
    'TEST_TEMPORAL_ADDRESS',
  ]);
});

test('every server is needed for patterns and for all tests', (t) => {
  t.is(neededServers(['test/contract/*.test.ts']).size, 2);
  t.is(neededServers([]).size, 2);
  t.is(neededServers(['--all']).size, 2);
});
