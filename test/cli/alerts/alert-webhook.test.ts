import test from 'ava';
import { settleNotification } from '../../../db/notifications/notifications.ts';
import { cliStage } from '../api-stage.ts';

test('the alert webhook is set, tested, rotated and deleted', async (t) => {
  const { cli, db } = await cliStage(t, {
    starts: (database) => ({
      sendNotification: async ({ notificationId }) => {
        const { id } = await database('notifications').where({ public_id: notificationId }).first('id');
        const answer = { isAccepted: true, status: 204, error: null };
        await settleNotification(database, { id, attemptCount: 0, type: 'alert.test', ...answer });
        return { state: 'ended', result: 'delivered' };
      },
    }),
  });
  t.regex(await cli.fails(6, 'alerts webhook test'), /channels alerts webhook set/);
  const created = await cli.run(
    'alerts webhook set https://ops.example.com/hook --min-severity critical --kinds replay.failed,channel.disconnected',
  );
  t.regex(created.stdout, /Kinds +replay\.failed, channel\.disconnected[\s\S]*Secret +whsec_/);
  t.regex((await cli.run('alerts webhook test')).stdout, /Outcome +delivered\n.*Response +204/);
  const shown = await cli.json('alerts webhook show');
  t.like(shown, { url: 'https://ops.example.com/hook', enabled: true, minSeverity: 'critical' });
  t.like(shown.lastDelivery, { type: 'alert.test', outcome: 'delivered' });
  t.is((await cli.json('alerts webhook set https://ops.example.com/hook --disabled')).enabled, false);
  t.regex((await cli.run('alerts webhook rotate-secret --value --overlap 60')).stdout, /^whsec_\S{44}\n$/);
  t.regex((await cli.run('alerts webhook delete --yes')).stdout, /Deleted/);
  t.deepEqual(await db('alert_webhooks'), []);
  t.is((await cli.json('alerts webhook show')).url, null);
});
