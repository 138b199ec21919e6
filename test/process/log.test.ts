import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { createLog } from '../../process/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  write(createLog({ name: 'worker', level: 'info', destination }));
  return lines;
}

test('a line has the process, the event and its fields', (t) => {
  const [line] = logged((log) => log.info('delivery.attempted', { deliveryId: 'wd_12345678', attempt: 2 }));

  t.like(line, { name: 'worker', msg: 'delivery.attempted', deliveryId: 'wd_12345678', attempt: 2 });
});

test('a line below the level is not written', (t) => {
  t.is(logged((log) => log.debug('delivery.claimed')).length, 0);
});

test('a child adds its fields to each line', (t) => {
  const [line] = logged((log) => log.child({ shard: 3 }).warn('lease.lost', { fence: 9 }));

  t.like(line, { shard: 3, fence: 9 });
});

test('a secret is masked at the top and one level below', (t) => {
  const lines = logged((log) => {
    log.info('request.answered', { token: 'hunter2', headers: { authorization: 'hunter2', 'set-cookie': 'hunter2' } });
    log.child({ secret: 'hunter2' }).info('request.answered', { body: { password: 'hunter2', status: 200 } });
  });

  t.notRegex(JSON.stringify(lines), /hunter2/);
  t.like(lines[1], { body: { status: 200 } });
});

test('an error is written with its cause', (t) => {
  const [line] = logged((log) =>
    log.error('pump.failed', { error: new Error('outer', { cause: new Error('inner') }) }),
  );

  t.regex(JSON.stringify(line), /outer.*inner/);
});

test('the row that the database quotes is not written', (t) => {
  const row = { detail: 'Failing row contains (hunter2).', where: 'COPY users: "hunter2"', constraint: 'a name' };
  const [line] = logged((log) => log.error('request.failed', { error: Object.assign(new Error('refused'), row) }));

  t.notRegex(JSON.stringify(line), /hunter2/);
  t.like(line, { error: { type: 'Error', message: 'refused', constraint: 'a name' } });
});

test('buffered lines reach a pipe on flush and on exit', async (t) => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('../../process/log.ts', import.meta.url).href)};
    const log = createLog({ name: 'piped', level: 'info' });
    log.info('process.started');
    const flushed = log.flush();
    for (let count = 0; count < 100; count++) log.info('line.written', { text: 'x'.repeat(100) });
    await flushed;
    await new Promise((resolve) => setTimeout(resolve, 200));
    await log.flush();
    log.info('process.stopped');
    process.exit(0);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);

  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  t.deepEqual(events, ['process.started', ...Array.from({ length: 100 }, () => 'line.written'), 'process.stopped']);
});
