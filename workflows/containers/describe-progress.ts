import type { CheckResult } from '../../activities/containers/container-activities.ts';

export function partName(position: number): string {
  return position === 0 ? 'the container' : `child ${position - 1}`;
}

export function describeWait(
  result: CheckResult,
  { count, nextMs }: { readonly count: number; readonly nextMs: number },
): string {
  const reason =
    result === 'unreadable' ? 'The platform could not be read' : 'The platform is processing the container';
  return `${reason}. Checks made: ${count}. Next check at ${toIsoTime(nextMs)}.`;
}

export function toIsoTime(ms: number): string;
export function toIsoTime(ms: number | null): string | null;
export function toIsoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
