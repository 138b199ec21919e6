import type { ServerResponse } from 'node:http';
import { z } from 'zod';

const percent = z.number().min(0).max(1_000);

/** Throttled responses report at least 100 percent of the calls. */
export const usageFields = z.strictObject({
  callCount: percent.optional(),
  totalTime: percent.optional(),
  totalCpuTime: percent.optional(),
  regainAccessMinutes: z.int().min(0).optional(),
});

/** In percent, and minutes. */
export type UsageSettings = { readonly [K in keyof z.output<typeof usageFields>]-?: number };

export interface UsageReport {
  readonly type: string;
  readonly businessId: string;
  readonly isThrottled: boolean;
  readonly regainAccessMinutes?: number | undefined;
  readonly moreHeaders?: readonly string[];
}

export function setUsageHeaders(response: ServerResponse, usage: UsageSettings, report: UsageReport): void {
  const { callCount, totalTime, totalCpuTime } = usage;
  const { type, businessId, isThrottled, moreHeaders = [] } = report;
  const used = isThrottled ? Math.max(100, callCount) : callCount;
  const shares = { call_count: used, total_cputime: totalCpuTime, total_time: totalTime };
  const minutes = report.regainAccessMinutes ?? usage.regainAccessMinutes;
  const limit = { type, ...shares, estimated_time_to_regain_access: minutes };
  for (const name of ['x-app-usage', ...moreHeaders]) response.setHeader(name, JSON.stringify(shares));
  response.setHeader('x-business-use-case-usage', JSON.stringify({ [businessId]: [limit] }));
}
