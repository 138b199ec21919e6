import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { BrowserContext, Page } from 'playwright-core';
import { createInvitationActivities } from '../../../activities/people/invitation-activities.ts';
import { createMailer } from '../../../activities/people/mailer.ts';
import type { ApiDeps } from '../../../api/requests/deps.ts';
import { buildDashboard } from '../../../dev/build-dashboard.ts';
import type { MailInbox } from '../../../simulator/mail/inbox.ts';
import { testApi, type TestApi } from '../../harness/api/api.ts';
import { codesByMail } from '../../harness/people/email-codes.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aTenant, type Tenant, testSecretBox } from '../../harness/tenants.ts';
import { reverseProxy } from './reverse-proxy.ts';
import { chromiumMissing, findChromium, openBrowser, type OpenBrowser } from './open-browser.ts';

const isAbsent = findChromium() === undefined;
if (isAbsent && process.env['CI'] !== 'true')
  process.stderr.write(`${chromiumMissing} The browser tests are skipped.\n`);
/**
 * Where nobody looks on, a missing browser is a failure: each test then says what is missing. One test at a time: two
 * browsers fill a small machine.
 */
export const browserTest = isAbsent && process.env['CI'] !== 'true' ? anyTest.serial.skip : anyTest.serial;

/** The dashboard of today's sources, in a folder of the test's own. */
async function builtDashboard(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-dashboard-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await buildDashboard({ folder });
  return folder;
}

export interface DashboardSite extends TestApi, OpenBrowser {
  readonly tenant: Tenant;
  readonly inbox: MailInbox;
  /** Where the dashboard is. */
  readonly siteUrl: string;
  /** Goes to an address of the dashboard as this person, by the code in their mail. */
  readonly signIn: (email: string, path?: string, page?: Page) => Promise<void>;
  /** The same on a page that asks for it. */
  readonly signInHere: (email: string, page?: Page) => Promise<void>;
  /** A second person with a browser of their own. */
  readonly anotherPage: () => Promise<Page>;
  /** What the pages' policy has refused, and what their scripts threw. */
  readonly complaints: readonly string[];
}

/** The service with its dashboard behind an address that a browser can go to, and mails that arrive. */
export async function dashboardSite(
  t: ExecutionContext<unknown>,
  deps: Partial<Omit<ApiDeps, 'temporal'>> = {},
): Promise<DashboardSite> {
  const dashboardFolder = await builtDashboard(t);
  const proxy = await reverseProxy(t);
  const codes = await codesByMail(t);
  const mailer = createMailer({ url: codes.inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => mailer.close());
  const temporal = (db: Knex) => ({
    ...codes.temporal(db),
    sendInvitation: async (invitationId: string) => {
      const needs = { db, secretBox: testSecretBox, mailer, baseUrl: proxy.url, log: rememberingLog() };
      await createInvitationActivities(needs).mailInvitation({ invitationId });
      return { state: 'ended', result: 'started' } as const;
    },
  });
  // The address is http, over which a browser takes no `Secure` cookie.
  const api = await testApi(t, { temporal, dashboardFolder, baseUrl: proxy.url, deployment: 'development', ...deps });
  proxy.forwardTo(api.url);
  const browser = await openBrowser(t);
  const complaints: string[] = [];
  listen(browser.context, complaints);
  const signInHere = async (email: string, page = browser.page): Promise<void> => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await page.getByLabel('Code').waitFor(); // it appears when the mail has gone
    await page.getByLabel('Code').fill(codes.codeFor(email));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
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
      const context = await browser.context.browser()!.newContext();
      listen(context, complaints);
      return await context.newPage();
    },
  };
}

function listen(context: BrowserContext, complaints: string[]): void {
  const attend = (page: Page): void => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isRefusal(message.text())) complaints.push(message.text());
    });
  };
  context.pages().forEach(attend);
  context.on('page', attend);
}

/** The browser notes every answer of 4xx; most are what a test wants. */
const isRefusal = (text: string): boolean =>
  text.startsWith('Failed to load resource: the server responded with a status of 4');
