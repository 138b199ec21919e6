import type { ExecutionContext } from 'ava';
import { type ChannelStageOptions, channelStage } from '../harness/api/stages.ts';
import { testCli } from './cli-run.ts';

export type CliStage = Awaited<ReturnType<typeof cliStage>>;

/** A CLI with the key of a tenant that has a channel. */
export async function cliStage(t: ExecutionContext<unknown>, options: ChannelStageOptions = {}) {
  const stage = await channelStage(t, { type: 'chatapp', ...options });
  const { organization, workspace, channel } = stage;
  const cli = await testCli(t, { BASE_URL: stage.url, SERVICE_API_KEY: stage.key });
  return { ...stage, cli, ch: channel.publicId, ws: workspace.publicId, org: organization.publicId };
}
