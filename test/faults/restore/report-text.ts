import type { RestoreReport } from './run-restore.ts';

export function restoreText(report: RestoreReport): string {
  const { acknowledged, archiveTimeoutSeconds, unarchivedSeconds, cases, problems } = report;
  return [
    `${acknowledged} events acknowledged before the loss.`,
    `archive_timeout ${archiveTimeoutSeconds} s; the newest archived segment was ${unarchivedSeconds.toFixed(1)} s old.`,
    ...cases.map(
      (one) =>
        `${one.temporal} Temporal: replayed after ${one.restoreSeconds} s, serving after ${one.readySeconds} s, backlog ` +
        `delivered after ${one.drainedSeconds} s; ${one.lostEvents} events after the moment, ${one.namedDeliveries} ` +
        `deliveries named, runs ended: ${JSON.stringify(one.runsEnded)}.`,
    ),
    problems.length === 0 ? 'No problem.' : `Problems:\n${problems.join('\n')}`,
  ].join('\n');
}
