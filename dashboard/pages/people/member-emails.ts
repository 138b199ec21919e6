import { records } from '../../../client/pages.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';

export function useMemberEmails(org: string): ReadonlyMap<string, string> {
  return useLoad(() => memberEmails(org), [org]).value ?? new Map();
}

async function memberEmails(org: string): Promise<ReadonlyMap<string, string>> {
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
