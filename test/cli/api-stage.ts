import type { ExecutionContext } from 'ava';
import type { ChannelType } from '../../contract/event-types.ts';
import { testApi, type TestApi } from '../harness/api/api.ts';
import { aChannel, aTenant, type Tenant, type TestChannel } from '../harness/tenants.ts';
import { type Cli, testCli } from './cli-run.ts';

export interface CliStage extends TestApi, Tenant {
  readonly cli: Cli;
  readonly channel: TestChannel;
  readonly ch: string;
  readonly ws: string;
  readonly org: string;
}

export async function cliStage(
  t: ExecutionContext<unknown>,
  { type = 'chatapp', ...options }: { type?: ChannelType } & Parameters<typeof testApi>[1] = {},
): Promise<CliStage> {
  const api = await testApi(t, options);
  const tenant = await aTenant(api.db);
  const channel = await aChannel(api.db, tenant.workspace, { type });
  const cli = await testCli(t, { BASE_URL: api.url, SERVICE_API_KEY: tenant.apiKey });
  const ids = { ch: channel.publicId, ws: tenant.workspace.publicId, org: tenant.organization.publicId };
  return { ...api, ...tenant, ...ids, cli, channel };
}
