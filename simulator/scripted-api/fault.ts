import { z } from 'zod';
import type { RefusalReason } from './refusals.ts';

/**
 * A fault makes calls fail. Exactly one effect applies: a refusal (`code`), a 5xx (`httpStatus`), a dropped connection
 * (`lost`), a wrong body, or one of the API's own. `delayMs` comes first and may stand alone. A refused, failed or lost
 * call changes nothing, unless `afterEffect` or `lost: 'after'` says so; a wrong body follows the effect.
 */
export interface ScriptedFault {
  /** Optional. The operation; every operation by default. */
  readonly at?: string | undefined;
  /** Optional. Properties that the call must have. */
  readonly match?: object | undefined;
  readonly times?: number | undefined;
  readonly code?: number | undefined;
  readonly status?: number | undefined;
  readonly subcode?: number | undefined;
  readonly message?: string | undefined;
  readonly details?: string | undefined;
  readonly isTransient?: boolean | undefined;
  readonly httpStatus?: number | undefined;
  readonly lost?: 'before' | 'after' | undefined;
  readonly delayMs?: number | undefined;
  readonly wrongBody?: true | 'empty' | 'html' | undefined;
  readonly afterEffect?: boolean | undefined;
}

/** The fields that faults of all APIs share. */
export const faultFields = {
  /** Optional. How many calls it affects; by default all calls until the list is replaced. */
  times: z.int().min(1).optional(),
  /** The code of a refusal in the platform's error body. */
  code: z.int().optional(),
  /** Optional. The usual status of the code by default. */
  status: z.int().min(400).max(599).optional(),
  subcode: z.int().optional(),
  message: z.string().optional(),
  /** Answers with this status and the platform's unknown error. */
  httpStatus: z.int().min(500).max(599).optional(),
  /** Drops the connection before or after the effect. */
  lost: z.enum(['before', 'after']).optional(),
  delayMs: z.int().min(0).max(60_000).optional(),
  /** The call takes effect despite the refusal or the 5xx, or before the delay. */
  afterEffect: z.boolean().optional(),
};

interface FaultRules {
  /** Fields that ask for a refusal. */
  readonly refusals?: readonly string[];
  /** Optional. Effects of the API's own, besides a refusal, `httpStatus`, `lost` and `wrongBody`. */
  readonly effects?: readonly string[];
  /** Fields that describe a refusal. */
  readonly details?: readonly string[];
}

/** Returns the check of a fault schema's fields against each other. */
export function checkFault({ refusals = ['code'], effects = [], details = [] }: FaultRules = {}) {
  const others = ['httpStatus', 'lost', 'wrongBody', ...effects];
  const described = ['status', 'subcode', 'message', ...details];

  return (fault: ScriptedFault, context: z.RefinementCtx): void => {
    const given = new Set(Object.keys(fault).filter((name) => Reflect.get(fault, name) !== undefined));
    const has = (name: string): boolean => given.has(name);
    const isRefusal = refusals.some(has);
    const effectCount = others.filter(has).length + (isRefusal ? 1 : 0);
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if (effectCount > 1 || (effectCount === 0 && !has('delayMs'))) {
      refuse(`Name exactly one of ${[...refusals, ...others].join(', ')}, or only delayMs.`);
    }
    if (!isRefusal && described.some(has)) refuse(`${described.join(', ')} need ${refusals.join(' or ')}.`);
    if (has('lost') && has('afterEffect')) refuse("Omit afterEffect: lost is 'before' or 'after' the effect.");
  };
}

/** Returns the refusal that the fault asks for; `usual` holds the values that it omits. */
export function scriptedRefusal(fault: ScriptedFault, usual: Partial<RefusalReason> = {}): RefusalReason | undefined {
  const code = fault.code ?? usual.code;
  if (code === undefined) return undefined;
  return {
    ...usual,
    status: fault.status ?? usual.status,
    code,
    subcode: fault.subcode ?? usual.subcode,
    message: fault.message ?? usual.message ?? `(#${code}) Scripted refusal`,
    details: fault.details ?? usual.details,
    isTransient: fault.isTransient ?? usual.isTransient ?? (code === 1 || code === 2),
  };
}
