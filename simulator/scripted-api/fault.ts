import { z } from 'zod';
import type { RefusalReason } from './refusals.ts';

/**
 * Makes calls fail in one way: a refusal (`code`), a 5xx (`httpStatus`), a dropped connection (`lost`), a wrong body,
 * or a failure specific to the API. `delayMs` comes first and may be alone. Refused, failed and dropped calls take
 * effect only with `afterEffect` or `lost: 'after'`.
 */
export interface ScriptedFault {
  readonly at?: string | undefined;
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

export const faultFields = {
  times: z.int().min(1).optional(),
  code: z.int().optional(),
  /** Optional. Default: the usual status of the code. */
  status: z.int().min(400).max(599).optional(),
  subcode: z.int().optional(),
  message: z.string().optional(),
  httpStatus: z.int().min(500).max(599).optional(),
  lost: z.enum(['before', 'after']).optional(),
  delayMs: z.int().min(0).max(60_000).optional(),
  /** The call takes effect despite the refusal, or before the delay. */
  afterEffect: z.boolean().optional(),
};

interface FaultRules {
  readonly refusals?: readonly string[];
  readonly effects?: readonly string[];
  readonly details?: readonly string[];
}

export function checkFault({ refusals = ['code'], effects = [], details = [] }: FaultRules = {}) {
  const others = ['httpStatus', 'lost', 'wrongBody', ...effects];
  const described = ['status', 'subcode', 'message', ...details];

  return (fault: ScriptedFault, context: z.RefinementCtx): void => {
    const named = new Set(Object.keys(fault).filter((name) => Reflect.get(fault, name) !== undefined));
    const has = (name: string): boolean => named.has(name);
    const isRefusal = refusals.some(has);
    const effectCount = others.filter(has).length + (isRefusal ? 1 : 0);
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if (effectCount > 1 || (effectCount === 0 && !has('delayMs'))) {
      refuse(`Name exactly one of ${[refusals.join(' or '), ...others].join(', ')}, or only delayMs.`);
    }
    if (!isRefusal && described.some(has)) refuse(`${described.join(', ')} need ${refusals.join(' or ')}.`);
    if (has('lost') && has('afterEffect')) refuse("Omit afterEffect: lost is 'before' or 'after' the effect.");
  };
}

/** Returns undefined without a code. `usual` holds defaults. */
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
