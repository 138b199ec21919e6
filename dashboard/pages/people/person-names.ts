import { records } from '../../../client/pages.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';

/** The addresses of an organization's members by their ids; empty until they are here. */
export function usePersonNames(org: string): ReadonlyMap<string, string> {
  return useLoad(() => personNames(org), [org]).value ?? new Map();
}

async function personNames(org: string): Promise<ReadonlyMap<string, string>> {
  const members = records(
    (cursor) => {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      return api.get('/organizations/{org}/members', { params: { path: { org }, query } });
    },
    (page) => page.members,
  );
  const names = new Map<string, string>();
  for await (const { userId, email } of members) names.set(userId, email);
  return names;
}
