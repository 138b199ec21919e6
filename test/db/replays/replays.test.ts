import test from 'ava';
import { closeReplayRun, moveReplay } from '../../../db/replays/replays.ts';
import { overdueRows } from '../../harness/database/overdue-rows.ts';
import { replayStage } from '../../harness/replays/replays.ts';

const HOUR_MS = 3_600_000;

test('replays without progress are stale unless they are paused or ended', async (t) => {
  const { db, replay } = await replayStage(t);
  const stale = () => overdueRows(db, 'replayDeliveries');
  const quiet = await replay();
  const paused = await replay();
  const ended = await replay();
  const recent = await replay();
  await moveReplay(db, { publicId: paused, move: 'pause' });
  await moveReplay(db, { publicId: ended, move: 'cancel' });
  const longAgo = new Date(Date.now() - 2 * HOUR_MS);
  await db('replays').whereNot({ public_id: recent }).update({ progressed_at: longAgo });
  t.deepEqual((await stale()).toSorted(), [quiet, ended].toSorted(), 'a cancelled one until its run has ended');
  await closeReplayRun(db, ended);
  t.deepEqual(await stale(), [quiet]);
});
