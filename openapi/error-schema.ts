import { z } from 'zod';
import { type ErrorBody, type ErrorCode, statusByErrorCode } from '../contract/errors.ts';

const codes = Object.keys(statusByErrorCode) as [ErrorCode, ...ErrorCode[]];

export const errorSchema = z
  .strictObject({
    statusCode: z.int().min(400).max(599).meta({ description: 'Equal to the status of the response.' }),
    code: z.enum(codes).meta({ description: 'Stable and machine-readable.' }),
    message: z.string(),
    requestId: z.string().meta({ description: 'Quote it when you contact support.' }),
  })
  .meta({ id: 'Error' }) satisfies z.ZodType<ErrorBody>;
