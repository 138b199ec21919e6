import test from 'ava';
import { createScheduledPostStarts } from '../../../worker/upkeep/scheduled-post-starts.ts';
import { aScheduledPost, readPost } from '../../harness/containers/scheduled-posts.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('a round starts the containers of all posts that are due', async (t) => {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace, { type: 'photoapp' });
  const resumed: string[] = [];
  const startDue = createScheduledPostStarts({
    ...{ db, log: rememberingLog(), stopping: new AbortController().signal },
    resumeContainer: ({ containerId }) => Promise.resolve(void resumed.push(containerId)),
  });
  const due = [await aScheduledPost(db, { channel, workspace }), await aScheduledPost(db, { channel, workspace })];
  const late = await aScheduledPost(db, { channel, workspace, publishAt: new Date(0) });
  await startDue();
  await startDue();
  const posts = await Promise.all(due.map(({ publicId }) => readPost(db, { channel, workspace, publicId })));
  t.deepEqual(resumed.sort(), posts.map(({ containerPublicId }) => containerPublicId!).sort());
  t.is((await readPost(db, { channel, workspace, publicId: late.publicId })).status, 'failed');
});
