import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Creates a folder, which is deleted after the test. */
export async function temporaryFolder(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-'));
  // A process that the test stopped may still write.
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}
