/**
 * Ids of one period of the ledger's partitions. A period ends when the sequences are advanced to the next one, so it
 * rarely uses them up.
 */
export const PERIOD_SPAN = 1_000_000_000;
