import { describeAlert } from '../../contract/alerts/describe-alert.ts';
import { type AlertKind, alertKindNames, alertKinds } from '../../contract/alerts/kinds.ts';
import type { MailedAlert } from '../../db/alerts/mails.ts';
import type { Mail } from '../people/mailer.ts';
import { plainName } from '../people/plain-name.ts';

interface AlertMailText {
  readonly alerts: readonly MailedAlert[];
  readonly organizationName: string;
  /** Of the page in the dashboard. */
  readonly url: string;
}

export function alertMail({ alerts, organizationName, url }: AlertMailText): Omit<Mail, 'to'> {
  const opened = alerts.filter(({ isOver }) => !isOver);
  const over = alerts.filter(({ isOver }) => isOver);
  const name = plainName(organizationName);
  const lines = [
    ...section('These need your attention:', opened),
    ...section('These are over:', over),
    `See all alerts and choose what you get by email: ${url}`,
    '',
  ];
  const counts = [countText(opened, 'alert', 'alerts'), countText(over, 'alert is over', 'alerts are over')];
  const subject = counts.filter((text) => text !== '').join(', ');
  return { subject: name === '' ? subject : `${name}: ${subject}`, text: lines.join('\n') };
}

function countText(alerts: readonly MailedAlert[], one: string, many: string): string {
  const count = alerts[0]?.count ?? 0;
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function section(heading: string, alerts: readonly MailedAlert[]): readonly string[] {
  const [first] = alerts;
  if (!first) return [];
  const more = first.count - alerts.length;
  return [
    heading,
    '',
    ...alerts.flatMap(linesOf),
    ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more.`, ''] : []),
  ];
}

function linesOf({ kind, severity, label, reason, occurrences, isOver }: MailedAlert): readonly string[] {
  const known = alertKindNames.find((name) => name === kind);
  if (!known) return [`- ${severity}: ${kind}`, '']; // of a later version
  if (isOver) return [`- ${alertKinds[known].title}: ${unlinked(label)}`, ''];
  return [`- ${severity}: ${alertKinds[known].title}`, `  ${described(known, { label, reason, occurrences })}`, ''];
}

function described(kind: AlertKind, alert: Pick<MailedAlert, 'label' | 'reason' | 'occurrences'>): string {
  const { label, reason, occurrences } = alert;
  return describeAlert({
    kind,
    occurrences,
    label: unlinked(label),
    reason: reason === null ? null : unlinked(reason),
  });
}

/**
 * Names of channels come from customers: they must not start a line, and mail programs turn `example.com` and `tel:1` into
 * links. Hosts keep their words. Sentences keep their dots, which a space follows.
 */
function unlinked(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .replace(notOfText, ' ')
    .replace(/[.:](?! |$)/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const MAX_NAME_LENGTH = 200;
const notOfText = /[^\p{L}\p{M}0-9 '&,+()_;!?.:-]|[\ua4f8-\ua4fd]/gu;
