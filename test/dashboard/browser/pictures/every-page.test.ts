import anyTest from 'ava';
import { createBusyWorkspace } from '../busy-workspace.ts';
import { ownDashboardSystem } from '../dashboard-system.ts';

/** `look` takes pictures. */
const test = process.env['DASHBOARD_PICTURES'] === undefined ? anyTest.skip : anyTest;

test('pictures of every page', async (t) => {
  const system = await ownDashboardSystem(t, { env: { RETRY_SCHEDULE_SECONDS: '30,120' } });
  const { visit, look, complaints } = system;
  const pages = await createBusyWorkspace(system);
  for (const [name, path] of pages) {
    await visit(path);
    await look(name);
  }
  t.deepEqual(complaints, []);
});
