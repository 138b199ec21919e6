import { z } from 'zod';
import type { RefusalReason } from './refusals.ts';

/**
 * Makes calls fail in one way: a refusal (`code`), a 5xx (`httpStatus`), a dropped connection (`lost`) or a wrong body.
 * `delayMs` comes first and may be alone. Refused, failed and dropped calls take effect only with `afterEffect` or
 * `lost: 'after'`.
 */
export const faultFields = {
  times: z.int().min(1).optional(),
  code: z.int().optional(),
  /** Optional. Default: the usual status of the code. */
  status: z.int().min(400).max(599).optional(),
  subcode: z.int().optional(),
  message: z.string().optional(),
  details: z.string().optional(),
  /** Of a refusal. The usage header shows it. */
  regainAccessMinutes: z.int().min(0).optional(),
  httpStatus: z.int().min(500).max(599).optional(),
  lost: z.enum(['before', 'after']).optional(),
  delayMs: z.int().min(0).max(60_000).optional(),
  /** Answers 200 without an id. The call takes effect. */
  wrongBody: z.literal(true).optional(),
  /** The call takes effect despite the refusal, or before the delay. */
  afterEffect: z.boolean().optional(),
};
const anyFault = z.object(faultFields);

export interface ScriptedFault extends Readonly<z.output<typeof anyFault>> {
  readonly at?: string | undefined;
  readonly match?: object | undefined;
}

const effects = ['code', 'httpStatus', 'lost', 'wrongBody'] as const;
export const oneEffect = { error: `Name exactly one of ${effects.join(', ')}, or only delayMs.` };

export function hasOneEffect(fault: ScriptedFault): boolean {
  const count = effects.filter((name) => fault[name] !== undefined).length;
  return count === 1 || (count === 0 && fault.delayMs !== undefined);
}

const transientCodes: ReadonlySet<number> = new Set([1, 2, 4, 17, 32, 341, 613]);

/** Returns undefined without a code. */
export function scriptedRefusal(fault: ScriptedFault): RefusalReason | undefined {
  const { code, status, subcode, regainAccessMinutes } = fault;
  if (code === undefined) return undefined;
  const { message = `(#${code}) Scripted refusal`, details = 'Scripted refusal' } = fault;
  const isTransient = transientCodes.has(code);
  return { code, status, subcode, message, details, isTransient, regainAccessMinutes };
}
