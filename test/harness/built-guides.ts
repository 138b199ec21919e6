import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { buildGuides } from '../../dev/guides/build-guides.ts';

let building: Promise<string> | undefined;

test.after.always(async () => {
  if (building) await rm(await building, { recursive: true, force: true });
});

/** Builds the guides once for all tests of this process, because it takes a quarter of a minute. Returns their folder. */
export function builtGuides(): Promise<string> {
  return (building ??= build());
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-guides-'));
  if (!(await buildGuides({ folder }))) throw new Error('The folder has guides already');
  return folder;
}
