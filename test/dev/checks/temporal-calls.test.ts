import { join } from 'node:path';
import test from 'ava';
import { ESLint } from 'eslint';
import { projectRoot } from '../../../dev/checks/source-files.ts';

const eslint = new ESLint({ cwd: projectRoot });

async function brokenRules(layer: string, statement: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`${statement}\n`, { filePath: join(projectRoot, layer, 'planted.js') });
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId))];
}

for (const statement of [
  "void client.workflow.start('saveWebhook', {});",
  "void client.workflow.execute('saveWebhook', {});",
  "void client.workflow.signalWithStart('deliverWebhook', {});",
  "void client.workflow.executeUpdateWithStart('rotateChannelToken', {});",
  "void client.workflow.getHandle('delivery/wd_00000001').cancel();",
  "const { workflow } = client; void workflow.start('saveWebhook', {});",
  "void client.schedule.create({ scheduleId: 'retention' });",
]) {
  test(`only workflow-starts may call: ${statement}`, async (t) => {
    for (const layer of ['activities', 'admin', 'api', 'worker']) {
      t.deepEqual(await brokenRules(layer, statement), ['no-restricted-syntax'], layer);
    }
    t.deepEqual(await brokenRules('workflow-starts', statement), []);
  });
}
