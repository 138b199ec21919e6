import test from 'ava';
import { aChannel } from '../../harness/tenants.ts';
import { cliStage } from '../api-stage.ts';

test('the health of one channel and of all is shown', async (t) => {
  const { cli, db, workspace } = await cliStage(t);
  const channel = await aChannel(db, workspace);
  await db('channel_health')
    .where({ channel_id: channel.id })
    .update({
      status: 'failing',
      reasons: ['quality_low'],
      quality: 'low',
      tier: '1k',
      business_account_id: '4711',
      checked_at: new Date(),
      permissions_granted: ['read', 'send'],
      permissions_missing: ['write'],
    });
  const { stdout } = await cli.run(`health ${channel.publicId}`);
  t.regex(stdout, /Health +failing/);
  t.regex(stdout, /Reason +quality_low: Its quality rating is low/);
  t.regex(stdout, /Granted permissions +read, send/);
  t.regex(stdout, /Missing permissions +write/);
  t.regex(stdout, /Credential ends +never/);
  t.regex((await cli.run('health')).stdout, /HEALTH +REASONS[\s\S]*failing +quality_low +low +1k/);
  const isListed = async (status: string): Promise<boolean> =>
    JSON.stringify(await cli.json(`health --status ${status}`)).includes(channel.publicId);
  t.true(await isListed('failing'));
  t.false(await isListed('healthy'));
  t.is((await cli.json(`health ${channel.publicId} --refresh`)).status, 'failing', 'checked within the minute');
  const unchecked = await aChannel(db, workspace);
  t.regex((await cli.run(`health ${unchecked.publicId}`)).stdout, /Credential ends +unknown/);
  t.regex((await cli.run(`env ${channel.publicId}`)).stdout, /^CHATAPP_BUSINESS_ACCOUNT_ID=4711$/m);
});
