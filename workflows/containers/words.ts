import type { CheckResult } from '../../activities/containers/container-activities.ts';

/** What people read in the Temporal UI about a container's run. */
export function nameOf(position: number): string {
  return position === 0 ? 'the container' : `child ${position - 1}`;
}

export function waitText(
  seen: CheckResult,
  { looks, nextMs }: { readonly looks: number; readonly nextMs: number },
): string {
  const how = seen === 'unreadable' ? 'The platform could not be read' : 'The platform is processing it';
  return `${how}. ${looks} looks so far, the next ${instant(nextMs)}.`;
}

export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
