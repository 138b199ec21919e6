import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { drainedStream } from '../../../api/deliveries/drained-stream.ts';
import { eventually } from '../../harness/eventually.ts';

function counted() {
  const state = { made: 0, ended: false };
  async function* chunks(): AsyncGenerator<string, void, void> {
    try {
      for (;;) yield await Promise.resolve(`page ${++state.made}`);
    } finally {
      state.ended = true;
    }
  }
  return { state, chunks: chunks() };
}

test('a stalled client holds at most one page and is reported', async (t) => {
  const { state, chunks } = counted();
  let stalledCount = 0;
  const stream = drainedStream(chunks, { onStalled: () => stalledCount++, stalledMs: 20 });
  stream.once('readable', () => undefined);
  await eventually(() => stalledCount === 1);
  t.true(state.made <= 2, `${state.made} pages were read`);
  stream.destroy();
  await eventually(() => state.ended);
});

test('a client that takes each page in time is never reported', async (t) => {
  const { chunks } = counted();
  let stalledCount = 0;
  const stream = drainedStream(chunks, { onStalled: () => stalledCount++, stalledMs: 60_000 });
  let taken = 0;
  for await (const page of stream) {
    t.is(page, `page ${++taken}`);
    await turn();
    if (taken === 50) break;
  }
  t.is(stalledCount, 0);
});

test('a slow client is cut off after the whole time', async (t) => {
  const { state, chunks } = counted();
  const stream = drainedStream(chunks, {
    onStalled: () => void stream.destroy(new Error('too slow')),
    stalledMs: 60_000,
    wholeMs: 10,
  });
  const read = async () => {
    for await (const _chunk of stream) await turn();
  };
  await t.throwsAsync(read(), { message: 'too slow' });
  await eventually(() => state.ended);
});
