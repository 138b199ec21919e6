import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aStaffKey } from '../harness/people/staff.ts';
import { cliStage } from '../cli/api-stage.ts';
import { commandsOf } from './markdown.ts';

const guide = readFileSync(join(projectRoot, 'docs/runbook.md'), 'utf8');

/** Calls of the function `staff`, also in other commands, as commands of the CLI. */
function asCommands(text: string): string {
  const lines = text.split('\n').map((line) => {
    const [, words] = /(?:^|\$\(|until )staff ([^|)#]+)/.exec(line) ?? [];
    return words === undefined ? line : `channels staff ${words}`;
  });
  return lines.join('\n');
}

test('the runbook picks the failed delivery beside one of a subscription', async (t) => {
  const { cli, db, channel, ch } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const { publicId: failed } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const extraId = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id: extraId });
  await aLedgerDelivery(db, channel, { destinationId: extraId, status: 'delivered' });
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const searches = commandsOf(asCommands(guide)).filter(
    (words) => words.includes('--platform-message-id') && words.includes('--json'),
  );
  t.is(searches.length, 5);
  for (const words of searches) {
    const given = words.map((word) => word.replace(/^"?wamid.*/, 'mid.1').replace('$CHATAPP_CHANNEL_ID', ch));
    const { stdout } = await cli.run([...given, '--reason', 'Ticket 812'], { env });
    t.is(/wd_[A-Za-z0-9]{8}/.exec(stdout)?.[0], failed, given.join(' '));
  }
});
