import type { Schema } from '../../../client/create-client.ts';
import { type Loaded, useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';

export type Overview = Schema<'Overview'>;
export type Trouble = Schema<'TroubledDestination'>;

const REFRESH_MS = 15_000;

/** Without a workspace, of all workspaces that the user sees. */
export function useOverview(org: string, workspaceId: string | undefined): Loaded<Overview> {
  const overview = useLoad(() => {
    const params = { path: { org }, query: workspaceId === undefined ? {} : { workspaceId } };
    return api.get('/organizations/{org}/overview', { params });
  }, [org, workspaceId]);
  useRefresh(() => void overview.reload(), REFRESH_MS);
  return overview;
}
