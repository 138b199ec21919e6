interface SkeletonProps {
  /** Optional. Default: 4. */
  readonly rows?: number;
}

/** Holds the place of what loads, so that nothing jumps when it arrives. CSS shows it only after a delay. */
export function Skeleton({ rows = 4 }: SkeletonProps) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading…</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
