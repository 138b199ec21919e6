import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAva } from '../processes/run-ava.ts';
import type { Batch, Plan } from './plan.ts';
import { reportTests, type TestCounts } from './test-report.ts';

export interface RunPlan {
  readonly plan: Plan;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the tests when aborted. */
  readonly signal: AbortSignal;
}

const root = join(import.meta.dirname, '../..');
/** On the build server, the files of so few failed tests run once more, alone: such a test depends on how busy a process is. */
const MOST_REPEATED = 3;
const folder = 'test/dev/batches';

/** Runs all tests of a plan and returns the exit code. The last line has the counts. */
export async function runPlan({ plan: { batches, alone, processes }, env, signal }: RunPlan): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const files = [...batches.flatMap((batch) => batch.files), ...alone];
  let counts: TestCounts = { passed: 0, failed: 0, crashed: 0, failedFiles: undefined };
  const code = await runAva({
    args: ['--concurrency', String(processes), ...(await writeBatches(batches)), ...alone],
    env,
    signal,
    read: async (streams) => {
      counts = await reportTests({ streams, files, print, signal });
    },
  });
  const { failedFiles = [], failed, crashed } = counts;
  if (process.env['CI'] && failedFiles.length > 0 && failed <= MOST_REPEATED && !signal.aborted) {
    if ((await runAva({ args: [...failedFiles], env, signal })) === 0) {
      print(`Failed beside other tests and passed alone: ${failedFiles.join(', ')}`);
      print(`${counts.passed + failed - crashed} tests passed, 0 failed`);
      return 0;
    }
  }
  print(`${counts.passed} tests passed, ${failed} failed`);
  return code === 0 && failed > 0 ? 1 : code;
}

/** Writes a test file for each batch, because AVA starts one process for each file. Returns their paths. */
async function writeBatches(batches: readonly Batch[]): Promise<string[]> {
  await rm(join(root, folder), { recursive: true, force: true });
  await mkdir(join(root, folder));
  return await Promise.all(
    batches.map(async ({ name, files, slots }) => {
      const path = `${folder}/${name}.test.ts`;
      const batch = JSON.stringify({ slots, files }, null, 2);
      const lines = [
        "import { runBatch } from '../../../dev/tests/run-batch.ts';",
        '',
        `await runBatch(${batch});`,
        '',
      ];
      await writeFile(join(root, path), lines.join('\n'));
      return path;
    }),
  );
}
