import type { Schema } from '../../../client/create-client.ts';
import type { DestinationHealth } from './use-destinations.ts';

/** The fields of the dialog as text, and the change that they make. Unchanged secrets stay empty and are not sent. */
export interface OptionsForm {
  readonly ordering: DestinationHealth['ordering'];
  readonly sendsTraceParent: boolean;
  /** `Name: value` lines that are added or replaced. */
  readonly newHeaders: string;
  readonly removedHeaders: readonly string[];
  readonly authentication: 'none' | 'basic' | 'bearer';
  readonly username: string;
  readonly secret: string;
  readonly timeoutSeconds: string;
  readonly requestsPerSecond: string;
  readonly concurrency: string;
  readonly schedule: 'default' | 'fast' | 'patient' | 'own';
  readonly steps: string;
  /** Empty without debounce. */
  readonly debounceSeconds: string;
  readonly debounceEvents: string;
}

type Change = Omit<Schema<'ChannelDestinationChange'>, 'destination'>;

export function optionsFormOf(destination: DestinationHealth): OptionsForm {
  const { ordering, sendsTraceParent, authentication, timeoutSeconds, rate, retrySchedule, debounce } = destination;
  return {
    ordering,
    sendsTraceParent,
    newHeaders: '',
    removedHeaders: [],
    authentication: authentication.type,
    username: authentication.username ?? '',
    secret: '',
    timeoutSeconds: textOf(timeoutSeconds),
    requestsPerSecond: textOf(rate.requestsPerSecond),
    concurrency: textOf(rate.concurrency),
    schedule: typeof retrySchedule === 'string' ? retrySchedule : 'own',
    steps: typeof retrySchedule === 'string' ? '' : retrySchedule.steps.join(', '),
    debounceSeconds: textOf(debounce?.seconds ?? null),
    debounceEvents: textOf(debounce?.maxEvents ?? null),
  };
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Whether the authentication must be sent with its secret. */
export function changesAuthentication(form: OptionsForm, { authentication }: DestinationHealth): boolean {
  if (form.authentication !== authentication.type || form.secret !== '') return true;
  return form.authentication === 'basic' && form.username !== authentication.username;
}

export function optionsChange(form: OptionsForm, destination: DestinationHealth): Change {
  const headers = headersOf(form);
  return {
    ordering: form.ordering,
    sendsTraceParent: form.sendsTraceParent,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(changesAuthentication(form, destination) && { authentication: authenticationOf(form) }),
    timeoutSeconds: numberOf(form.timeoutSeconds),
    rate: { requestsPerSecond: numberOf(form.requestsPerSecond), concurrency: numberOf(form.concurrency) },
    retrySchedule: form.schedule === 'own' ? { steps: stepsOf(form.steps) } : form.schedule,
    debounce: debounceOf(form),
  };
}

function debounceOf({
  debounceSeconds,
  debounceEvents,
}: OptionsForm): DestinationHealth['debounce'] | { seconds: number } {
  const seconds = numberOf(debounceSeconds);
  const maxEvents = numberOf(debounceEvents);
  return seconds === null ? null : { seconds, ...(maxEvents !== null && { maxEvents }) };
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

function stepsOf(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(Number);
}

function headersOf({ newHeaders, removedHeaders }: OptionsForm): Record<string, string | null> {
  const headers: Record<string, string | null> = {};
  for (const name of removedHeaders) headers[name] = null;
  for (const line of newHeaders.split('\n').filter((one) => one.trim() !== '')) {
    const [name = '', ...value] = line.split(':');
    headers[name.trim()] = value.join(':').trim();
  }
  return headers;
}

function authenticationOf({ authentication: type, username, secret }: OptionsForm) {
  switch (type) {
    case 'none':
      return { type };
    case 'basic':
      return { type, username, password: secret };
    case 'bearer':
      return { type, token: secret };
  }
}
