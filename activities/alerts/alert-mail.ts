import { isIP } from 'node:net';
import { describeAlert } from '../../contract/alerts/describe-alert.ts';
import { type AlertKind, alertKindNames, alertKinds } from '../../contract/alerts/kinds.ts';
import { subjectPage } from '../../contract/alerts/subject-page.ts';
import type { MailedAlert } from '../../db/alerts/mails.ts';
import { mailBody, type MailPart, plainName } from '../mails/mail-body.ts';
import type { Mail } from '../mails/mailer.ts';

interface AlertMailText {
  readonly alerts: readonly MailedAlert[];
  readonly organizationName: string;
  /** Of the organization's pages in the dashboard. */
  readonly url: string;
}

/** The email of a single alert has its title as subject, and its page as link. */
export function alertMail({ alerts, organizationName, url }: AlertMailText): Omit<Mail, 'to'> {
  const opened = alerts.filter(({ isOver }) => !isOver);
  const over = alerts.filter(({ isOver }) => isOver);
  const name = plainName(organizationName);
  const [first] = alerts;
  const single = first && alerts.length === 1 && first.count === 1 ? first : undefined;
  const counts = [countText(opened, 'alert', 'alerts'), countText(over, 'alert is over', 'alerts are over')];
  const subject = single ? subjectOf(single) : counts.filter((text) => text !== '').join(', ');
  const page = single && pageOf(single);
  const alertsUrl = `${url}/alerts`;
  return {
    subject: name === '' ? subject : `${name}: ${subject}`,
    ...mailBody([
      ...section('These need your attention:', opened),
      ...section('These are over:', over),
      page === undefined
        ? { kind: 'link', label: 'See all alerts', url: alertsUrl }
        : { kind: 'link', label: 'Open the page', url: `${url}/${page}` },
      { kind: 'quietLink', label: 'Choose what you get by email', url: alertsUrl },
    ]),
  };
}

function subjectOf(alert: MailedAlert): string {
  const { kind, isOver } = alert;
  const known = knownKind(kind);
  const title = known ? alertKinds[known].title : kind;
  return `${isOver ? 'Resolved: ' : ''}${title} (${labelOf(alert)})`;
}

/** Below the page of the organization. */
function pageOf({ subject, workspacePublicId }: MailedAlert): string | undefined {
  const page = subjectPage(subject);
  return page === undefined || workspacePublicId === null ? undefined : `${workspacePublicId}/${page}`;
}

/** Undefined for a kind of a later version. */
function knownKind(kind: string): AlertKind | undefined {
  return alertKindNames.find((name) => name === kind);
}

function countText(alerts: readonly MailedAlert[], one: string, many: string): string {
  const count = alerts[0]?.count ?? 0;
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function section(heading: string, alerts: readonly MailedAlert[]): readonly MailPart[] {
  const [first] = alerts;
  if (!first) return [];
  const more = first.count - alerts.length;
  return [
    { kind: 'heading', text: heading },
    ...alerts.map(itemOf),
    ...(more > 0 ? [{ kind: 'quiet', text: `And ${more.toLocaleString('en-US')} more.` } as const] : []),
  ];
}

function itemOf(alert: MailedAlert): MailPart {
  const { kind, severity, isOver } = alert;
  const began = `Began ${timeText(alert.openedAt)}.`;
  const known = knownKind(kind);
  const title = known ? alertKinds[known].title : kind;
  if (isOver) return { kind: 'item', tone: 'good', title: `${title}: ${labelOf(alert)}`, details: [began] };
  return {
    kind: 'item',
    tone: severity === 'critical' ? 'bad' : 'warn',
    title: `${severity}: ${title}`,
    details: known ? [described(known, alert), began] : [began],
  };
}

/** In UTC, because the zones of the readers are unknown. */
function timeText(at: Date): string {
  return `${day.format(at)} at ${at.toISOString().slice(11, 16)} UTC`;
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function described(kind: AlertKind, alert: MailedAlert): string {
  const { reason, occurrences } = alert;
  return describeAlert({
    kind,
    occurrences,
    label: labelOf(alert),
    reason: reason === null ? null : unlinked(reason),
  });
}

/** The label of a destination starts with its host and port, whose digits are no phone number. */
function labelOf({ label, subject }: MailedAlert): string {
  if (subject.type === 'replay') return label; // its id
  const [start, host, port] = hostOfLabel.exec(label) ?? [];
  if (start === undefined || host === undefined) return unlinked(label);
  return `${shownHost(host)}${port ?? ''} of ${unlinked(label.slice(start.length))}`;
}

const hostOfLabel = /^(localhost|\[[0-9a-f:.]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})? of /i;

/** Only words of digits alone can be called. */
function shownHost(host: string): string {
  if (isIP(host.replace(/^\[|\]$/g, '')) > 0) return host;
  return host
    .split('.')
    .map((word) => (/[a-z]/i.test(word) ? word : unlinked(word)))
    .join(' ');
}

/**
 * Names of channels come from customers: they must not start a line, and mail programs turn `example.com` and `tel:1` into
 * links. Hosts keep their words. Sentences keep their dots, which a space follows. Of a number that could be called, the
 * last two digits are left, which tell the numbers of an organization apart.
 */
function unlinked(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .replace(notOfText, ' ')
    .replace(/[.:](?! |$)/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(longNumber, (number) => `…${number.replace(/\D/g, '').slice(-2)}`)
    .trim();
}

/** Five digits or more without a letter between them. */
const longNumber = /\+?\(?\d(?:[^\p{L}\d]{0,20}\d){4,}/gu;

const MAX_NAME_LENGTH = 200;
const notOfText = /[^\p{L}\p{M}0-9 '&,+()_;!?.:-]|[\ua4f8-\ua4fd]/gu;
