import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { countsChart, formatLatency } from '../../charts/statistics-series.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { useAction, useLoad } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { Badge, Button, ErrorBox, Panel, RelativeTime } from '../../kit/parts.tsx';
import { organizationPath, placePath, workspacePath } from '../../routes/paths.ts';
import { api, apiIn } from '../../session/api.ts';
import { config } from '../../session/config.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { severityTones } from '../alerts/alert-status.ts';
import { WorkspaceLink } from '../../session/workspace-link.tsx';
import { ReplaySkipped, TroubleActions, troubleTitle } from '../channels/trouble.tsx';
import { formatRate, rateNote, successRate } from './success-rate.ts';

export type Overview = Schema<'Overview'>;

const REFRESH_MS = 15_000;

export interface OverviewPlace {
  readonly organizationId: string;
  /** Undefined for all workspaces that the user sees. */
  readonly workspaceId: string | undefined;
}

/** Trouble comes first, then the last 24 hours; first steps as long as nothing has arrived. */
export function OverviewPanels(place: OverviewPlace) {
  const { organizationId: org, workspaceId } = place;
  const load = () => {
    const params = { path: { org }, query: workspaceId === undefined ? {} : { workspaceId } };
    return api.get('/organizations/{org}/overview', { params });
  };
  const { value, error, reload } = useLoad(['overview', org, workspaceId], load, { everyMs: REFRESH_MS });
  const [isNew, setNew] = useState(false);
  const chart = useMemo(() => value && countsChart(value.buckets), [value]);
  if (!value || !chart) {
    return error ? <ErrorBox error={error} onRetry={reload} /> : <Skeleton />;
  }
  const isEmpty = value.current.deliveries + value.previous.deliveries === 0;
  // The steps stay until the page is left, so that the last tick can be seen.
  if (isEmpty && !value.channels.hasDelivery && !isNew) setNew(true);
  return (
    <>
      <ErrorBox error={error} onRetry={reload} />
      <TroublePanel {...place} trouble={value.trouble} />
      {isNew && <FirstSteps {...place} channels={value.channels} reload={reload} />}
      <Panel title="Last 24 hours">
        <StatTiles {...place} overview={value} />
        {isEmpty ? (
          <p class="soft">No deliveries in the last two days.</p>
        ) : (
          <TimeChart title="Deliveries by hour" chart={chart} kind="stacked-bars" format={formatNumber} />
        )}
        {!value.current.isComplete && (
          <p class="soft">There are too many deliveries to count. The numbers cover the newest of each channel.</p>
        )}
      </Panel>
    </>
  );
}

/** Reserves the space of the tiles and the chart. */
function Skeleton() {
  return (
    <div class="overview-skeleton" role="status">
      <span class="hidden">Loading…</span>
    </div>
  );
}

interface StatTilesProps extends OverviewPlace {
  readonly overview: Overview;
}

function StatTiles({ overview: { current, previous, alerts }, organizationId, workspaceId }: StatTilesProps) {
  const at = (page: string): string => placePath(organizationId, workspaceId, page);
  const deliveries = (status: string): string | undefined =>
    workspaceId === undefined ? undefined : at(`deliveries${status}`);
  const rate = successRate(current);
  const rateBefore = successRate(previous);
  const slow = current.latencyMs?.p95 ?? null;
  const slowBefore = previous.latencyMs?.p95 ?? null;
  return (
    <dl class="tiles">
      <Tile label="Deliveries" href={deliveries('')} note={changeOf(current.deliveries, previous.deliveries)}>
        {formatNumber(current.deliveries)}
      </Tile>
      <Tile
        label="Success rate"
        href={deliveries('?status=pending,retrying,exhausted')}
        isBad={rate !== null && rate < 0.99}
        note={rateNote(current.waiting, rateBefore)}
      >
        {rate === null ? '–' : formatRate(rate)}
      </Tile>
      <Tile label="Latency, p95" note={slowBefore === null ? null : `${formatLatency(slowBefore)} the day before`}>
        {slow === null ? '–' : formatLatency(slow)}
      </Tile>
      <Tile label="Open alerts" href={at('alerts?status=open')} isBad={alerts.critical > 0}>
        {formatNumber(alerts.critical + alerts.warning)}
      </Tile>
    </dl>
  );
}

/** Returns null if there is nothing to compare with. */
function changeOf(now: number, before: number): string | null {
  if (before === 0) return null;
  const percent = Math.round((100 * (now - before)) / before);
  const words = percent > 0 ? 'more' : 'fewer';
  const change = percent === 0 ? 'not more or less' : `${Math.abs(percent).toLocaleString('en')} % ${words}`;
  return `${change} than the day before`;
}

interface TileProps {
  readonly label: string;
  readonly href?: string | undefined;
  readonly note?: string | null;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}

function Tile({ label, href, note, isBad, children }: TileProps) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class={isBad ? 'bad' : undefined}>{href === undefined ? children : <a href={href}>{children}</a>}</dd>
      <dd class="soft">{note ?? ' '}</dd>
    </div>
  );
}

interface FirstStepsProps extends OverviewPlace {
  readonly channels: Overview['channels'];
  readonly reload: () => void;
}

/** Each step has a tick once it is done, and the first one that is not has a button. */
function FirstSteps({ channels, reload, ...place }: FirstStepsProps) {
  const { connected, withDestination, hasTestEvent, hasDelivery, firstId, firstWorkspaceId } = channels;
  const channelPath =
    firstId !== null &&
    firstWorkspaceId !== null &&
    workspacePath(place.organizationId, firstWorkspaceId, `channels/${firstId}/webhook`);
  const hasChannel = connected > 0;
  const hasWebhook = withDestination > 0;
  const toWebhook = (words: string) =>
    channelPath && (
      <a class="button primary" href={channelPath}>
        {words}
      </a>
    );
  return (
    <Panel title="First steps">
      <ol class="first-steps">
        <Step
          isDone={hasChannel}
          title={config.value.hasSimulator ? 'Connect a simulated account' : 'Connect an account'}
          about="Its owner gives permission at the platform. Then it is a channel here."
        >
          {!hasChannel && <ConnectStep {...place} />}
        </Step>
        <Step
          isDone={hasWebhook}
          title="Set the webhook that receives events"
          about="The service sends each event of the channel to its URL and signs it."
        >
          {hasChannel && !hasWebhook && toWebhook('Set webhook')}
        </Step>
        <Step
          isDone={hasTestEvent}
          title="Send a test event"
          about="You see what the service sends and how your receiver responds."
        >
          {hasWebhook && !hasTestEvent && toWebhook('Send test event')}
        </Step>
        <Step
          isDone={hasDelivery}
          title="See the first delivery here"
          about="It appears as soon as someone writes to the connected account."
        >
          {hasDelivery ? (
            <a class="button plain" href={placePath(place.organizationId, firstWorkspaceId ?? undefined, 'deliveries')}>
              View deliveries
            </a>
          ) : (
            hasTestEvent && <MessageStep ch={firstId} ws={firstWorkspaceId} reload={reload} />
          )}
        </Step>
      </ol>
    </Panel>
  );
}

interface MessageStepProps {
  readonly ch: string | null;
  readonly ws: string | null;
  readonly reload: () => void;
}

/** Sends a real message where the simulator runs. Elsewhere a person must send it. */
function MessageStep({ ch, ws, reload }: MessageStepProps) {
  const send = useAction(async () => {
    if (ch === null || ws === null) return;
    const { type, metaResourceId } = await apiIn(ws).get('/platform/channels/{ch}', { params: { path: { ch } } });
    const response = await fetch(`/app/simulated-messages/${type}/${encodeURIComponent(metaResourceId)}`, {
      method: 'POST',
    });
    if (!response.ok) throw new Error('The simulator did not send the message. Check that it runs.');
    reload();
  });
  if (!config.value.hasSimulator) return <span class="soft">Send a message to the connected account.</span>;
  return (
    <>
      <Button tone="primary" busy={send.isBusy} onClick={() => send.run()}>
        Send simulated message
      </Button>
      <ErrorBox error={send.error} />
    </>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  /** Optional. Shown until the step is done. */
  readonly about?: string;
  readonly children?: ComponentChildren;
}

function Step({ isDone, title, about, children }: StepProps) {
  return (
    <li class={isDone ? 'first-step done' : 'first-step'}>
      <span class="mark">{isDone && <Icon name="check" />}</span>
      <span>
        {title}
        {isDone && <span class="hidden"> (done)</span>}
        {about !== undefined && !isDone && <small class="line soft">{about}</small>}
      </span>
      {children}
    </li>
  );
}

function ConnectStep({ organizationId: org, workspaceId }: OverviewPlace) {
  const { role } = useOrganization();
  const connect = useAction(async () => {
    const returns = { successUrl: location.href, failureUrl: location.href };
    const body = { label: 'Simulated account', channelType: 'chatapp' as const, maxUses: 1, ...returns };
    const { url } = await api.post('/organizations/{org}/onboarding-links', {
      params: { path: { org } },
      body: { ...body, ...(workspaceId !== undefined && { workspaceId }) },
    });
    if (url !== null) location.assign(url);
  });
  if (role !== 'admin') return <span class="soft">An organization admin can create an onboarding link.</span>;
  if (!config.value.hasSimulator) {
    return (
      <a class="button primary" href={organizationPath(org, 'onboarding')}>
        Create onboarding link
      </a>
    );
  }
  return (
    <>
      <Button tone="primary" busy={connect.isBusy} onClick={() => connect.run()}>
        Connect simulated account
      </Button>
      <ErrorBox error={connect.error} />
    </>
  );
}

type Alert = Schema<'Alert'>;
type Trouble = Overview['trouble'][number];

interface TroublePanelProps extends OverviewPlace {
  readonly trouble: readonly Trouble[];
}

/** The list of troubled destinations says more about these. */
const isAboutDestination = ({ kind }: Alert): boolean =>
  kind.startsWith('destination.') || kind === 'deliveries.notSettling' || kind === 'deliveries.overdue';
const SHOWN_ALERTS = 20;

function TroublePanel({ organizationId, workspaceId, trouble }: TroublePanelProps) {
  const { value } = useLoad(['open-alerts', organizationId, workspaceId], () => {
    const query = { status: 'open' as const, limit: SHOWN_ALERTS, ...(workspaceId !== undefined && { workspaceId }) };
    return api.get('/organizations/{org}/alerts', { params: { path: { org: organizationId }, query } });
  });
  const [enabled, setEnabled] = useState<readonly Trouble[]>([]);
  const isSame = (a: Trouble, b: Trouble): boolean => a.channelId === b.channelId && a.destination === b.destination;
  const repaired = enabled.filter((one) => !trouble.some((other) => isSame(one, other)));
  const alerts = value?.alerts.filter((alert) => !isAboutDestination(alert)) ?? [];
  if (trouble.length + repaired.length + alerts.length === 0) return null;
  const keyOf = ({ channelId, destination }: Trouble): string => `${channelId} ${destination}`;
  return (
    <Panel title="Needs attention">
      <ul class="troubles">
        {trouble.map((one) => (
          <TroubleItem
            key={keyOf(one)}
            {...{ organizationId, one }}
            showsWorkspace={workspaceId === undefined}
            onEnabled={() => setEnabled((before) => [...before, one])}
          />
        ))}
        {repaired.map((one) => (
          <RepairedItem key={keyOf(one)} {...{ organizationId, one }} />
        ))}
        {alerts.map((alert) => (
          <AlertItem key={alert.alertId} org={organizationId} alert={alert} />
        ))}
      </ul>
    </Panel>
  );
}

interface ItemProps {
  readonly organizationId: string;
  readonly one: Trouble;
}

interface TroubleItemProps extends ItemProps {
  readonly showsWorkspace: boolean;
  readonly onEnabled: () => void;
}

function TroubleItem({ organizationId, one, showsWorkspace, onEnabled }: TroubleItemProps) {
  const { workspaceId, channelId, lastFailure } = one;
  const name = one.destination === 'webhook' ? 'webhook' : (one.label ?? one.destination);
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone={one.state === 'failing' ? 'warn' : 'bad'}>{troubleTitle(one)}</Badge>{' '}
          <a href={workspacePath(organizationId, workspaceId, `channels/${channelId}`)}>{one.channelName}</a>, {name}
          {showsWorkspace && (
            <>
              {' '}
              in <WorkspaceLink org={organizationId} id={workspaceId} />
            </>
          )}
          {one.since !== null && (
            <span class="soft">
              {' '}
              · began <RelativeTime at={one.since} />
            </span>
          )}
        </p>
        {lastFailure && (
          <p class="soft failure">
            <a href={workspacePath(organizationId, workspaceId, `deliveries/${lastFailure.deliveryId}`)}>
              <RelativeTime at={lastFailure.at} />
            </a>{' '}
            {lastFailure.status ?? lastFailure.outcome.replaceAll('_', ' ')} from {one.url}
            {lastFailure.answer !== null && `: ${lastFailure.answer}`}
          </p>
        )}
      </div>
      <TroubleActions {...{ organizationId, onEnabled }} broken={one} />
    </li>
  );
}

function RepairedItem({ organizationId, one }: ItemProps) {
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone="good">Enabled again</Badge> {one.channelName}
        </p>
      </div>
      <ReplaySkipped organizationId={organizationId} broken={one} />
    </li>
  );
}

function AlertItem({ org, alert }: { readonly org: string; readonly alert: Alert }) {
  const { kind, workspaceId, severity, title, openedAt, description } = alert;
  const needsConnection = ['channel.disconnected', 'credential.refused', 'credential.expiring'].includes(kind);
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone={severityTones[severity]}>{title}</Badge>{' '}
          <span class="soft">
            <RelativeTime at={openedAt} />
          </span>
        </p>
        <p class="soft failure">{description}</p>
      </div>
      <div class="actions">
        <a
          class="button plain small"
          href={needsConnection ? organizationPath(org, 'onboarding') : placePath(org, workspaceId, 'alerts')}
        >
          {needsConnection ? 'Connect again' : 'Open alert'}
        </a>
      </div>
    </li>
  );
}
