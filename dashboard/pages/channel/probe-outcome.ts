export type ProbeName = 'GET' | 'POST';

/** The probe that a save failed on, in the service's words: what it expected, and what came back. */
export interface ProbeFailure {
  readonly probe: ProbeName;
  readonly expected: string;
  readonly found: string;
}

const MESSAGE = /^The (GET|POST) probe (?:\(([^)]*)\) )?expected (.+?), but (.+?)\.?$/s;

/** Takes the message of a refused save apart; null for one of another form, which is shown as it is. */
export function probeFailureOf(message: string): ProbeFailure | null {
  const [, probe, , expected = '', found = ''] = MESSAGE.exec(message) ?? [];
  if (probe !== 'GET' && probe !== 'POST') return null;
  return { probe, expected: sentence(expected), found: sentence(found) };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export type ProbeState = 'passed' | 'failed' | 'not sent';

/** How far a failed save came: the GET goes first, and the POST only after it. */
export function probeStates(failed: ProbeName): Readonly<Record<ProbeName, ProbeState>> {
  return failed === 'GET' ? { GET: 'failed', POST: 'not sent' } : { GET: 'passed', POST: 'failed' };
}
