import { readdir, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { until } from '../../harness/until.ts';
import { freePort, PortsTaken, requireFreePorts } from '../../../dev/processes/ports.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { listening } from '../../harness/connections/listening.ts';

test('a port in use is reported with its purpose and setting', async (t) => {
  const { port } = await listening(t, createServer());
  const wanted = [{ port, setting: 'API_PORT', purpose: 'the API' }];
  const { message } = await t.throwsAsync(requireFreePorts(wanted), { instanceOf: PortsTaken });

  for (const part of [String(port), 'the API', 'API_PORT=', 'npm start']) t.true(message.includes(part), message);
});

test('all ports in use are reported in one message', async (t) => {
  const port = await freePort();
  const wanted = ['API_PORT', 'SIMULATOR_PORT', 'RECEIVER_PORT'].map((setting) => ({
    port,
    setting,
    purpose: setting,
  }));

  const { message } = await t.throwsAsync(requireFreePorts(wanted), { instanceOf: PortsTaken });

  // Another program may have taken the first port, which adds a line.
  const twice = message.split('\n').filter((line) => line.includes('are both'));
  t.is(twice.length, 2, message);
});

test('free ports are accepted', async (t) => {
  const isNoProblem = async (): Promise<boolean> => {
    const wanted = [{ port: await freePort(), setting: 'API_PORT', purpose: 'the API' }];
    return await requireFreePorts(wanted).then(
      () => true,
      () => false,
    );
  };
  // Another program may take the port between the two checks.
  await until(isNoProblem, { for: 'A port that stays free' });
  t.pass();
});

test('a chosen port is not chosen again before a program listens', async (t) => {
  const folder = await temporaryFolder(t);
  const range = { lowest: 11_000, highest: 11_400, folder };
  const chosen = await Promise.all(Array.from({ length: 100 }, () => freePort('127.0.0.1', range)));
  t.is(new Set(chosen).size, 100);
});

test('an old reservation of a port does not keep it', async (t) => {
  const folder = await temporaryFolder(t);
  const port = await freePort('127.0.0.1', { lowest: 11_400, highest: 11_800, folder });
  const range = { lowest: port, highest: port + 1, folder };
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(folder, String(port)), anHourAgo, anHourAgo);
  t.is(await freePort('127.0.0.1', range), port);
  t.deepEqual(await readdir(folder), [String(port)]);
});
