/** One call that left for the platform, as logs may show it: no body, no query, no credential. */
export interface CallReport {
  readonly method: string;
  /** Below the version. */
  readonly path: string;
  /** Null: no answer came. */
  readonly status: number | null;
  /** The platform's code and subcode, or what kept the answer from coming. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The platform's own id of the call. */
  readonly platformRequestId: string | null;
  readonly startedAt: Date;
}

/** Told of every call that left, answered or not, when it has ended. */
export type OnCall = (report: CallReport) => void;

/** What of an ended call goes into its report. */
export interface CallEnd {
  readonly status: number | null;
  readonly error: string | null;
  readonly platformRequestId: string | null;
}

/** Begins a report; the returned function ends it, and only its first call counts. */
export function beginReport(
  onCall: OnCall | undefined,
  { method, path }: { readonly method: string; readonly path: string },
): (end: CallEnd) => void {
  const startedAt = new Date();
  const startedAtMs = performance.now();
  let isEnded = false;
  return (end) => {
    if (isEnded) return;
    isEnded = true;
    onCall?.({ method, path, ...end, durationMs: performance.now() - startedAtMs, startedAt });
  };
}
