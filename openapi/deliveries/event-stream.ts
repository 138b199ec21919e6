import { z } from 'zod';

/** A transaction and the last delivery read from it, or 0. */
export const lastEventIdField = z
  .string()
  .regex(/^\d{1,19}-(?:0|wd_[A-Za-z0-9]{8})$/, 'must be the id of an event of this stream')
  .describe('The id of the last received event, after which the stream resumes. By default, it starts now.');
