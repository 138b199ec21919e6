import { z } from 'zod';

/**
 * Where a reader of a stream is: the transaction that it has read up to and the last delivery that it saw of it; 0 where
 * it has seen none of that transaction yet.
 */
export const lastEventIdField = z
  .string()
  .regex(/^\d{1,19}-(?:0|wd_[A-Za-z0-9]{8})$/)
  .meta({
    description: 'The id of the last event that came; the stream begins with what changes from now on without it.',
  });
