import type { System } from './system.ts';

/**
 * Counts the leases that expired while their worker was running. This happens only if the machine stops a process for
 * seconds. The requests that were under way are then repeated.
 */
export function countLostLeases({ lines }: Pick<System, 'lines'>): number {
  return lines.filter((line) => line.includes('"lease.lost"')).length;
}
