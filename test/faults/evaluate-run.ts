import type { AttemptFact, LedgerFacts } from './ledger-facts.ts';
import type { Acknowledged } from './load.ts';
import type { Destination } from './receivers/destinations.ts';
import { expectedAttempts } from './receivers/misbehaviours.ts';
import type { FaultReport, ReceiverRow } from './report.ts';
import { brokenClaims } from '../harness/system/report-text.ts';

export interface RunRecords {
  readonly acknowledged: readonly Acknowledged[];
  readonly destinations: readonly Destination[];
  readonly ledger: LedgerFacts;
}

export function receiverRows(records: RunRecords): ReceiverRow[] {
  const byKind = Map.groupBy(records.destinations, ({ misbehaviour }) => misbehaviour ?? 'healthy');
  const isExhausted = exhaustedIn(records.ledger);
  return [...byKind].map(([misbehaviour, destinations]) => {
    const due = destinations.flatMap((destination) =>
      records.acknowledged
        .filter(({ resourceId }) => resourceId === destination.resourceId)
        .map(({ id }) => ({
          messageId: id,
          destinationId: destination.id,
          isTaken: destination.record.countById.has(id),
        })),
    );
    const missing = due.filter(({ isTaken }) => !isTaken);
    // A slow machine can keep such a receiver down for a whole schedule, which is short.
    const exhausted = misbehaviour === 'healthy' ? 0 : missing.filter(isExhausted).length;
    return {
      misbehaviour,
      destinations: destinations.length,
      delivered: due.length - missing.length,
      repeated: destinations.reduce((sum, { record }) => sum + record.repeatedCount, 0),
      disordered: destinations.reduce((sum, { record }) => sum + countOf(record.disorderedIds, records), 0),
      exhausted,
      lost: missing.length - exhausted,
      attempts: attemptsAt(destinations, records.ledger.attempts),
    };
  });
}

/** A worker may still send what an asynchronous standby does not have, after newer messages. */
function countOf(ids: readonly string[], { acknowledged }: RunRecords): number {
  const known = new Set(acknowledged.map(({ id }) => id));
  return ids.filter((id) => known.has(id)).length;
}

interface DeliveryKey {
  readonly messageId: string;
  readonly destinationId: number;
}

const keyText = ({ messageId, destinationId }: DeliveryKey): string => `${destinationId}/${messageId}`;

function exhaustedIn({ deliveries }: LedgerFacts): (delivery: DeliveryKey) => boolean {
  const ended = deliveries.filter(({ status, isOld }) => status === 'exhausted' && isOld);
  const exhausted = new Set(ended.map(keyText));
  return (delivery) => exhausted.has(keyText(delivery));
}

function attemptsAt(destinations: readonly Destination[], facts: readonly AttemptFact[]): Record<string, number> {
  const ids = new Set(destinations.map(({ id }) => id));
  const sum: Record<string, number> = {};
  for (const { attempt, count } of facts.filter(({ destinationId }) => ids.has(destinationId))) {
    sum[attempt] = (sum[attempt] ?? 0) + count;
  }
  return sum;
}

export function countFalselyDelivered({ destinations, ledger }: RunRecords): number {
  const records = new Map(destinations.map(({ id, record }) => [id, record]));
  return ledger.deliveries.filter(
    ({ status, destinationId, messageId }) =>
      status === 'delivered' && !records.get(destinationId)?.countById.has(messageId),
  ).length;
}

/** The worker stops reading after 64 KiB; buffers come on top. */
const MOST_READ_BYTES = 128 * 1024;
const MOST_KEPT_BYTES = 16 * 1024;
/** Less than one gigabyte response, more than the 525 MB measured on a busy machine. */
const MOST_MEMORY_MB = 800;

export function problemsOf(report: Omit<FaultReport, 'problems'>): string[] {
  const { connectionsTo, hugeAnswers, memoryMb, nameAnswers } = report;
  const claims: [boolean, string][] = [
    [report.acknowledged > 0, 'nothing was acknowledged'],
    [report.lost === 0, `${report.lost} deliveries were lost`],
    [report.disordered === 0, `${report.disordered} deliveries came out of order`],
    [report.storedTwice === 0, `${report.storedTwice} stored events exceed the acknowledged ones`],
    [report.falselyDelivered === 0, `${report.falselyDelivered} deliveries are marked as delivered but never arrived`],
    [Object.keys(report.brokenInvariants).length === 0, 'rows of the ledger break its invariants'],
    [report.longestRecoverySeconds !== null, 'the service did not recover from a fault'],
    [Object.keys(report.refusals).every(isServerError), 'the platform got an error other than 5xx'],
    [connectionsTo.privateAddress === 0, 'a private address was connected to'],
    [connectionsTo.redirectTarget === 0, 'a redirect was followed'],
    [Object.keys(nameAnswers).length === 2, 'the name did not flip'],
    [hugeAnswers.count > 0 && hugeAnswers.medianBytes <= MOST_READ_BYTES, 'more than 64 KiB of an answer is read'],
    [hugeAnswers.keptBytes <= MOST_KEPT_BYTES, 'more than 16 KiB of an answer is kept'],
    [memoryMb.most.worker <= MOST_MEMORY_MB, `the worker took ${memoryMb.most.worker} MB`],
    ...report.faults.map(({ kind, count }): [boolean, string] => [count > 0, `there was no fault "${kind}"`]),
    ...report.faults
      .filter(({ kind }) => kind === 'database read-only' || kind === 'disk full')
      .map(({ kind, refused }): [boolean, string] => [refused > 0, `"${kind}" refused no event`]),
    ...report.receivers.flatMap(claimsOf),
  ];
  return brokenClaims(claims);
}

function isServerError(status: string): boolean {
  return status === 'none' || Number(status) >= 500;
}

/** `timeout` may occur anywhere, because the machine may pause. */
function claimsOf({ misbehaviour, attempts }: ReceiverRow): [boolean, string][] {
  const expected = misbehaviour === 'healthy' ? 'accepted 200' : expectedAttempts[misbehaviour];
  const allowed = new Set([expected, 'no_response timeout', ...(misbehaviour === 'refuse' ? [] : ['accepted 200'])]);
  const strange = Object.keys(attempts).filter((attempt) => !allowed.has(attempt));
  return [
    [(attempts[expected] ?? 0) > 0, `no attempt at the receiver "${misbehaviour}" is "${expected}"`],
    [strange.length === 0, `unexpected attempts at the receiver "${misbehaviour}": "${strange.join('", "')}"`],
  ];
}
