import { pluralize } from '../../kit/format/pluralize.ts';
import type { DestinationHealth } from './use-destinations.ts';

type Options = Pick<
  DestinationHealth,
  'headers' | 'authentication' | 'timeoutSeconds' | 'rate' | 'retrySchedule' | 'debounce'
>;

/** Names what differs from the defaults. */
export function describeOptions(options: Options): readonly string[] {
  const { headers, authentication, timeoutSeconds, rate, retrySchedule, debounce } = options;
  const { requestsPerSecond, concurrency } = rate;
  return [
    ...(headers.length > 0 ? [pluralize(headers.length, 'header')] : []),
    ...(authentication.type === 'none' ? [] : [`${authentication.type} authentication`]),
    ...(timeoutSeconds === null ? [] : [`${timeoutSeconds} s time-out`]),
    ...(requestsPerSecond === null ? [] : [`${requestsPerSecond} per second`]),
    ...(concurrency === null ? [] : [`${concurrency} at a time`]),
    ...(retrySchedule === 'default'
      ? []
      : [typeof retrySchedule === 'string' ? `${retrySchedule} retries` : 'own retries']),
    ...(debounce === null ? [] : [`gathers for ${debounce.seconds} s`]),
  ];
}
