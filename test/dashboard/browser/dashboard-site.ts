import anyTest, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { BrowserContext, Page } from 'playwright-core';
import { createInvitationActivities } from '../../../activities/people/invitation-activities.ts';
import { createMailer } from '../../../activities/mails/mailer.ts';
import { buildDashboard } from '../../../dev/sites/build-dashboard.ts';
import type { MailInbox } from '../../../simulator/mail/inbox.ts';
import { testApi, type TestApi, type TestApiOptions } from '../../harness/api/api.ts';
import { codesByMail } from '../../harness/people/email-codes.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aTenant, type Tenant, testSecretBox } from '../../harness/tenants.ts';
import { reverseProxy } from './reverse-proxy.ts';
import { chromiumMissing, findChromium } from '../../../dev/browser/chromium.ts';
import { newContext, openBrowser, type OpenBrowser } from './open-browser.ts';

const isAbsent = findChromium() === undefined;
if (isAbsent && process.env['CI'] !== 'true')
  process.stderr.write(`${chromiumMissing} The browser tests are skipped.\n`);
/** Skips without Chromium locally and fails in CI. Serial: two browsers overload a small machine. */
export const browserTest = isAbsent && process.env['CI'] !== 'true' ? anyTest.serial.skip : anyTest.serial;

export interface DashboardSite extends TestApi, OpenBrowser {
  readonly tenant: Tenant;
  readonly inbox: MailInbox;
  readonly siteUrl: string;
  readonly signIn: (email: string, path?: string, page?: Page) => Promise<void>;
  readonly signInHere: (email: string, page?: Page) => Promise<void>;
  readonly anotherPage: () => Promise<Page>;
  /** Script errors and policy violations. */
  readonly complaints: readonly string[];
}

export async function dashboardSite(t: ExecutionContext<unknown>, deps: TestApiOptions = {}): Promise<DashboardSite> {
  await buildDashboard();
  const proxy = await reverseProxy(t);
  const codes = await codesByMail(t);
  const mailer = createMailer({ url: codes.inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => mailer.close());
  const temporal = (db: Knex) => ({
    ...codes.temporal(db),
    sendInvitation: async ({ invitationId }: { readonly invitationId: string }) => {
      const needs = { db, secretBox: testSecretBox, mailer, baseUrl: proxy.url, log: rememberingLog() };
      await createInvitationActivities(needs).mailInvitation({ invitationId });
      return { state: 'ended', result: 'started' } as const;
    },
  });
  // Browsers reject `Secure` cookies over http.
  const api = await testApi(t, {
    starts: temporal,
    baseUrl: proxy.url,
    deployment: 'development',
    namespaceState: () => Promise.resolve('ok'),
    ...deps,
  });
  proxy.forwardTo(api.url);
  const browser = await openBrowser(t);
  const complaints: string[] = [];
  listen(browser.context, complaints);
  const signInHere = async (email: string, page = browser.page): Promise<void> => {
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').waitFor();
    await page.getByLabel('Code').fill(codes.codeFor(email));
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
  };
  return {
    ...api,
    ...browser,
    tenant: await aTenant(api.db),
    inbox: codes.inbox,
    siteUrl: proxy.url,
    complaints,
    signInHere,
    async signIn(email, path = '/', page = browser.page) {
      await page.goto(proxy.url + path);
      await signInHere(email, page);
    },
    async anotherPage() {
      const context = await newContext(browser.context.browser()!);
      t.teardown(() => context.close());
      listen(context, complaints);
      return await context.newPage();
    },
  };
}

function listen(context: BrowserContext, complaints: string[]): void {
  const record = (page: Page): void => {
    page.on('pageerror', (error) => complaints.push(String(error.stack ?? error).slice(0, 700)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isClientError(message.text())) complaints.push(message.text());
    });
  };
  context.pages().forEach(record);
  context.on('page', record);
}

/** Browsers log every 4xx response; most are expected. */
const isClientError = (text: string): boolean =>
  text.startsWith('Failed to load resource: the server responded with a status of 4');
