import type { ServerResponse } from 'node:http';
import type { ChannelType } from '../../contract/event-types.ts';
import type { MessagingSettings } from './script.ts';
import { usageTypes } from './target.ts';

interface Usage {
  readonly usage: MessagingSettings['usage'];
  readonly product: ChannelType;
  readonly businessId: string;
  readonly isThrottled: boolean;
}

/** On every answer, as the platform sends them: the app's share of its limit, and the account's. */
export function setUsageHeaders(response: ServerResponse, { usage, product, businessId, isThrottled }: Usage): void {
  const { callCount, totalTime, totalCpuTime, regainAccessMinutes } = usage;
  const used = isThrottled ? Math.max(100, callCount) : callCount;
  const shares = { call_count: used, total_cputime: totalCpuTime, total_time: totalTime };
  const limit = { type: usageTypes[product], ...shares, estimated_time_to_regain_access: regainAccessMinutes };
  response.setHeader('x-app-usage', JSON.stringify(shares));
  response.setHeader('x-business-use-case-usage', JSON.stringify({ [businessId]: [limit] }));
}
