import type { Schema } from '../../../client/create-client.ts';
import type { HealthFailure, HealthStatus } from '../../../contract/channels/health.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Tone } from '../../kit/tone.ts';
import { api } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';

type Health = Schema<'AccountHealth'>;
type DescriptionItem = Parameters<typeof DescriptionList>[0]['items'][number];

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
export function HealthPanel({ channel }: { readonly channel: Schema<'Channel'> }) {
  const { role } = useWorkspace();
  const params = { params: { path: { ch: channel.id } } };
  const health = useLoad(() => api.get('/channels/{ch}/health', params), [channel.id]);
  const check = useAction(async () => {
    await api.post('/channels/{ch}/health/refresh', params);
    await health.reload();
  });
  const mayCheck = channel.connected && role !== 'member';
  return (
    <Panel
      title="Account health"
      actions={
        mayCheck && (
          <Button small busy={check.isBusy} onClick={() => void check.run()}>
            Check now
          </Button>
        )
      }
    >
      <ErrorBox error={check.error ?? health.error} onRetry={() => void health.reload()} />
      {health.value ? <HealthView health={health.value} /> : !health.error && <Loading />}
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

function itemsOf(health: Health): readonly DescriptionItem[] {
  const { permissions, pictureUrl, businessAccountId, credentialExpiresAt } = health;
  const texts: readonly (readonly [string, string | null])[] = [
    ['Quality', health.quality],
    ['Tier', health.tier],
    ['Throughput', health.throughput],
    ['Account', health.accountStatus],
    ['Name', health.name],
    ['Name review', health.nameStatus],
    ['User name', health.username],
  ];
  return [
    ...texts.flatMap(([name, text]): DescriptionItem[] => (text === null ? [] : [[name, text]])),
    ...(businessAccountId === null
      ? []
      : [['Business account', <CopyableId id={businessAccountId} what="business account ID" />] as const]),
    ...(permissions === null
      ? []
      : [
          ['Granted permissions', permissions.granted.join(', ') || 'none'] as const,
          ['Missing permissions', permissions.missing.join(', ') || 'none'] as const,
        ]),
    ...fieldItems(health),
    ['Credential ends', credentialExpiresAt === null ? 'never' : <RelativeTime at={credentialExpiresAt} />],
    ...(pictureUrl === null
      ? []
      : [
          [
            'Picture',
            <a href={pictureUrl} target="_blank" rel="noreferrer noopener">
              Open at the platform
            </a>,
          ] as const,
        ]),
  ];
}

function fieldItems({ subscription }: Health): readonly DescriptionItem[] {
  const lists = [
    ['Subscribed events', subscription?.fields ?? []],
    ['Missing events', subscription?.missing ?? []],
  ] as const;
  return lists.flatMap(([name, fields]): DescriptionItem[] => (fields.length > 0 ? [[name, fields.join(', ')]] : []));
}
