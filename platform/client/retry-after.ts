import { z } from 'zod';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One day. Longer hints are capped. */
const MAX_SECONDS = 86_400;
const SECONDS_PER_MINUTE = 60;

export function retryAfterSeconds(headers: Headers, now: Date): number | null {
  const hints = [parseRetryAfter(headers['retry-after'], now), regainSeconds(headers[USAGE_HEADER])];
  const given = hints.filter((hint) => hint !== null);
  return given.length > 0 ? Math.min(Math.max(...given), MAX_SECONDS) : null;
}

function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1000));
}

const USAGE_HEADER = 'x-business-use-case-usage';
const usages = z.record(
  z.string(),
  z.array(
    z
      .object({ estimated_time_to_regain_access: z.number().nonnegative() })
      .catch({ estimated_time_to_regain_access: 0 }),
  ),
);

/** The header holds minutes for each use case; 0 means no limit. */
function regainSeconds(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null;
  const minutes = usagesOf(value).map((usage) => usage.estimated_time_to_regain_access);
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? Math.ceil(longest * SECONDS_PER_MINUTE) : null;
}

function usagesOf(text: string) {
  try {
    return Object.values(usages.parse(JSON.parse(text))).flat();
  } catch {
    return [];
  }
}
