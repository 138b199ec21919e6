import type { ComponentChildren } from 'preact';
import { formatLatency } from '../../charts/format-latency.ts';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { type Change, changeOf, successRate } from './compare-days.ts';
import type { Overview } from './use-overview.ts';

interface StatTilesProps {
  readonly overview: Overview;
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
}

export function StatTiles({ overview: { current, previous, alerts }, organizationId, workspaceId }: StatTilesProps) {
  const at = (page: string): string =>
    workspaceId === undefined
      ? organizationPath(organizationId, page)
      : workspacePath(organizationId, workspaceId, page);
  const deliveries = (status: string): string | undefined =>
    workspaceId === undefined ? undefined : at(`deliveries${status}`);
  const [rate, rateBefore] = [successRate(current), successRate(previous)];
  const [slow, slowBefore] = [current.latencyMs?.p95 ?? null, previous.latencyMs?.p95 ?? null];
  const open = alerts.critical + alerts.warning;
  return (
    <dl class="tiles">
      <Tile label="Deliveries" href={deliveries('')} change={changeOf(current.deliveries, previous.deliveries)}>
        {formatNumber(current.deliveries)}
      </Tile>
      <Tile
        label="Success rate"
        href={deliveries('?status=exhausted')}
        isBad={rate !== null && rate < 0.99}
        note={rateBefore === null ? null : `${formatRate(rateBefore)} the day before`}
      >
        {rate === null ? '–' : formatRate(rate)}
      </Tile>
      <Tile label="Latency, p95" note={slowBefore === null ? null : `${formatLatency(slowBefore)} the day before`}>
        {slow === null ? '–' : formatLatency(slow)}
      </Tile>
      <Tile label="Waiting" href={deliveries('?status=pending,retrying')} isBad={false}>
        {formatNumber(current.waiting)}
      </Tile>
      <Tile label="Open alerts" href={at('alerts?status=open')} isBad={alerts.critical > 0}>
        {formatNumber(open)}
      </Tile>
    </dl>
  );
}

/** Rounded down, so that 100 % means all. */
const formatRate = (rate: number): string => `${Math.floor(rate * 1_000) / 10} %`;

interface TileProps {
  readonly label: string;
  readonly href?: string | undefined;
  readonly change?: Change | null;
  readonly note?: string | null;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}

function Tile({ label, href, change, note, isBad, children }: TileProps) {
  const about = change ? `${change.text} than the day before` : note;
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class={isBad ? 'bad' : undefined}>{href === undefined ? children : <a href={href}>{children}</a>}</dd>
      <dd class="soft">{about ?? ' '}</dd>
    </div>
  );
}
