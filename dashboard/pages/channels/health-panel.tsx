import type { ComponentProps } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import type { HealthFailure, HealthStatus } from '../../../contract/channels/health.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import {
  Badge,
  Button,
  CopyableId,
  DescriptionList,
  ErrorBox,
  Panel,
  RelativeTime,
  WhenLoaded,
} from '../../kit/parts.tsx';
import type { Tone } from '../../kit/tone.ts';
import { api } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import type { Channel } from './use-channels.ts';

type Health = Schema<'AccountHealth'>;

export const healthTones: Readonly<Record<HealthStatus, Tone>> = {
  healthy: 'good',
  warning: 'warn',
  failing: 'bad',
  unknown: 'neutral',
};

const failureTexts: Readonly<Record<HealthFailure, string>> = {
  platform_unavailable: 'The platform did not answer the last check',
  platform_limited: "The platform's rate limit ended the last check",
  platform_refused: 'The platform refused the last check',
  credential_refused: 'The platform refused the credential in the last check',
  account_hidden: 'The platform did not show the account in the last check, so another check follows',
  credential_unreadable: 'The credential could not be opened in the last check',
};

/** What the platform says about the account. Receivers are in the destinations' panel. */
export function HealthPanel({ channel }: { readonly channel: Channel }) {
  const { role } = useWorkspace();
  const params = { params: { path: { ch: channel.id } } };
  const health = useLoad(['health', channel.id], () => api.get('/channels/{ch}/health', params));
  const check = useAction(() => api.post('/channels/{ch}/health/refresh', params));
  const checkNow = channel.connected && role !== 'member' && (
    <Button small busy={check.isBusy} onClick={() => check.run()}>
      Check now
    </Button>
  );
  return (
    <Panel title="Account health" actions={checkNow}>
      <ErrorBox error={check.error} />
      <WhenLoaded of={health}>{(value) => <HealthView health={value} />}</WhenLoaded>
    </Panel>
  );
}

function HealthView({ health }: { readonly health: Health }) {
  const { status, reasons, checkedAt, lastFailure } = health;
  return (
    <>
      <p role="status">
        <Badge tone={healthTones[status]}>{status}</Badge>{' '}
        <span class="soft">
          {checkedAt === null ? (
            'Not checked yet'
          ) : (
            <>
              Checked <RelativeTime at={checkedAt} />
            </>
          )}
        </span>
      </p>
      {reasons.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      {lastFailure !== null && (
        <p class="soft">
          {failureTexts[lastFailure.code]}, <RelativeTime at={lastFailure.at} />.
        </p>
      )}
      {checkedAt !== null && <DescriptionList items={itemsOf(health)} />}
    </>
  );
}

function itemsOf(health: Health): ComponentProps<typeof DescriptionList>['items'] {
  const { permissions, pictureUrl, businessAccountId, credentialExpiresAt, subscription } = health;
  const text = (name: string, value: string | null) => value !== null && ([name, value] as const);
  const fields = (name: string, list: readonly string[] = []) => list.length > 0 && ([name, list.join(', ')] as const);
  return [
    text('Quality', health.quality),
    text('Tier', health.tier),
    text('Throughput', health.throughput),
    text('Account', health.accountStatus),
    text('Name', health.name),
    text('Name review', health.nameStatus),
    text('User name', health.username),
    businessAccountId !== null && [
      'Business account',
      <CopyableId id={businessAccountId} what="business account ID" />,
    ],
    permissions && ['Granted permissions', permissions.granted.join(', ') || 'none'],
    permissions && ['Missing permissions', permissions.missing.join(', ') || 'none'],
    fields('Subscribed events', subscription?.fields),
    fields('Missing events', subscription?.missing),
    ['Credential ends', credentialExpiresAt === null ? 'never' : <RelativeTime at={credentialExpiresAt} />],
    pictureUrl !== null && [
      'Picture',
      <a href={pictureUrl} target="_blank" rel="noreferrer noopener">
        Open at the platform
      </a>,
    ],
  ];
}
