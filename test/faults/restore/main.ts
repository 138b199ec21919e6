import { parseArgs } from 'node:util';
import { runReportCommand, say } from '../../harness/system/report-command.ts';
import { restoreText } from './report-text.ts';
import { runRestore } from './run-restore.ts';

/** Enough that the figures mean something. */
const EVENTS = '3000';
const MIN_EVENTS = 100;

function readOptions() {
  const { values } = parseArgs({ options: { events: { type: 'string', default: EVENTS } } });
  const events = Number(values.events);
  if (!Number.isSafeInteger(events) || events < MIN_EVENTS) throw new Error(`Use at least ${MIN_EVENTS} events.`);
  return { events };
}

await runReportCommand({
  usage: 'npm run test:restore -- [--events N]',
  readOptions,
  run: async (options, stops) => {
    const report = await runRestore({ ...options, say }, stops);
    return { text: restoreText(report), json: report, isGood: report.problems.length === 0 };
  },
});
