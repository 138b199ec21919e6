/** Safe to log: contains no body, query or credentials. */
export interface CallReport {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  /** The platform's code and subcode, or the reason for the missing response. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly platformRequestId: string | null;
  readonly startedAt: Date;
}

/** Called once for every call that was sent, when it ends. */
export type OnCall = (report: CallReport) => void;

export interface CallEnd {
  readonly status: number | null;
  readonly error: string | null;
  readonly platformRequestId: string | null;
}

/** Returns the function that ends the report. Only its first call counts. */
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
