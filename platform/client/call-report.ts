/** A call to the platform, safe to log: without body, query and credentials. */
export interface CallReport {
  readonly method: string;
  /** Relative to the API version. */
  readonly path: string;
  /** Null if there was no response. */
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

/** Starts a report and returns the function that ends it. Only the first call of that function counts. */
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
