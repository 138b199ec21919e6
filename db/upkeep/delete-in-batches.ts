export interface BatchBounds {
  /** Optional. Rows of one statement. */
  readonly batchRows?: number;
  /** Optional. Default: never. */
  readonly isTimeUp?: () => boolean;
}

export interface OldScheduled extends BatchBounds {
  readonly cutoff: Date;
}

const BATCH_ROWS = 1_000;

/**
 * Calls `deleteRows` with a limit until it deletes fewer rows, so that the deletion keeps up with any rate of inserts.
 * Each call is a transaction of its own. Returns false if the time was up first.
 */
export async function deleteInBatches(
  { batchRows = BATCH_ROWS, isTimeUp = () => false }: BatchBounds,
  deleteRows: (limit: number) => Promise<number>,
): Promise<boolean> {
  while (!isTimeUp()) {
    if ((await deleteRows(batchRows)) < batchRows) return true;
  }
  return false;
}
