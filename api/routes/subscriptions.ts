import { fitsChannelType } from '../../contract/event-types.ts';
import { destinationRoutes as routes } from '../../contract/routes/destinations.ts';
import { MAX_SUBSCRIPTIONS, type SubscriptionInput } from '../../contract/schemas/subscription.ts';
import { insertDestination } from '../../db/destinations.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import { commitSubscription, countSubscriptions, findSubscription } from '../../db/subscriptions.ts';
import { auditContext } from '../access/audit-context.ts';
import { refuseUrlForm } from '../access/url-form.ts';
import type { ApiDeps } from '../deps.ts';
import { InvalidRequest, NotFound, OutcomeUnknown, UrlNotAllowed, WorkflowUnavailable } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { presentSubscription } from '../presenters/destination.ts';

export function mountSubscriptionRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createSubscription, async (request) => {
    const { channel, body } = request;
    refuseMisfits(channel, body);
    refuseUrlForm(deps, body.url);
    if ((await countSubscriptions(db, channel.id)) >= MAX_SUBSCRIPTIONS) throw tooMany();
    const destinationId = await insertDestination(db, {
      channelId: channel.id,
      type: 'subscription',
      url: body.url,
      eventTypes: [...new Set(body.events)],
      label: body.label ?? null,
      enabled: body.enabled ?? true,
      staged: true,
    });
    await checkAddresses(deps, channel, destinationId);
    const publicId = await commitSubscription(db, {
      channelId: channel.id,
      destinationId,
      max: MAX_SUBSCRIPTIONS,
      audit: auditContext(request),
    });
    if (publicId === undefined) throw tooMany();
    return await presentOne(channel, publicId);
  });

  mountOperation(mount, routes.getSubscription, ({ channel, params }) => presentOne(channel, params.sub));

  async function presentOne(channel: ChannelRecord, publicId: string) {
    const subscription = await findSubscription(db, { channelId: channel.id, publicId });
    if (!subscription) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
    return { subscription: presentSubscription(subscription) };
  }
}

function refuseMisfits({ type }: ChannelRecord, { events }: SubscriptionInput): void {
  const misfits = events.filter((event) => !fitsChannelType(event, type));
  if (misfits.length > 0) throw new InvalidRequest(`body.events: a ${type} channel has no ${misfits.join(', ')}.`);
}

/** Has the addresses behind the staged URL judged; it stays staged, and so without effect, unless they are allowed. */
async function checkAddresses(deps: ApiDeps, channel: ChannelRecord, destinationId: number): Promise<void> {
  const started = await deps.temporal.checkDestination({
    channelId: channel.publicId,
    workspaceId: channel.workspacePublicId,
    destinationId,
  });
  if (started.state === 'not_started') throw new WorkflowUnavailable();
  if (started.state === 'unknown') {
    deps.log.warn('destinationCheck.unanswered', { channelId: channel.publicId, destinationId, error: started.cause });
    throw new OutcomeUnknown('The check of the URL did not end in time. No subscription was created; try again.');
  }
  if (started.result === 'blocked') throw new UrlNotAllowed('The URL leads to an address that is not public.');
}

const tooMany = (): InvalidRequest => new InvalidRequest(`A channel has at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
