import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest from 'ava';
import { createBusyWorkspace } from '../busy-workspace.ts';
import { ownDashboardSystem } from '../dashboard-system.ts';
import { show, takePicture, views } from '../take-picture.ts';

/** A folder for pictures of all pages in every theme and width. */
const folder = process.env['DASHBOARD_PICTURES'];
const test = folder === undefined ? anyTest.skip : anyTest;

test('pictures of every page', async (t) => {
  const system = await ownDashboardSystem(t, { env: { RETRY_SCHEDULE_SECONDS: '30,120' } });
  const { page, visit, complaints } = system;
  const pages = await createBusyWorkspace(system);
  await mkdir(folder!, { recursive: true });
  for (const view of views) {
    await show(page, view);
    for (const [name, path] of pages) {
      await visit(path);
      const file = join(folder!, `${name}-${view.colorScheme}-${view.width}.png`);
      await takePicture(page, file, { fullPage: true });
    }
  }
  t.deepEqual(complaints, []);
});
