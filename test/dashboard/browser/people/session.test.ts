import { eventually } from '../../../harness/eventually.ts';
import { aSession } from '../../../harness/people/sessions.ts';
import { button, goTo, heading } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('an email code signs in and opens the requested page', async (t) => {
  const { page, tenant, inbox, siteUrl, checkAccessibility, complaints } = await dashboardSite(t);
  const { email } = tenant.user;
  await page.goto(`${siteUrl}/app/${tenant.organization.publicId}/keys`);
  await heading(page, 'Sign in').waitFor();
  await checkAccessibility();
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('alert').getByText('OTP_INVALID').waitFor();
  await checkAccessibility();

  await button(page, 'Send another code').click();
  await page.getByText('We sent another code to').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await checkAccessibility();
  const [, code = ''] = /^ +(\d{6})$/m.exec(inbox.messages(email)[0]?.text ?? '') ?? [];
  await page.getByLabel('Code').fill(code);
  await heading(page, 'API keys').waitFor();
  await eventually(async () => (await page.title()) === 'API keys · Messaging channels'); // set after the heading
  t.deepEqual(complaints, []);
});

test('a new person names their organization', async (t) => {
  const { page, inbox, siteUrl, db, checkAccessibility, look, complaints } = await dashboardSite(t);
  const email = 'ada@example.com';
  await page.goto(siteUrl);
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').waitFor();
  const [, code = ''] = /^ +(\d{6})$/m.exec(inbox.messages(email)[0]?.text ?? '') ?? [];
  await page.getByLabel('Code').fill(code);
  await heading(page, 'Name your organization').waitFor();
  await look('name-organization');
  await checkAccessibility();
  await page.getByLabel('Organization name').fill('Ada Ltd');
  await button(page, 'Continue').click();
  await heading(page, 'Team').waitFor();
  t.is((await db('organizations').whereNotNull('made_by').first()).name, 'Ada Ltd');
  t.deepEqual(complaints, []);
});

test('the start page opens the last used workspace', async (t) => {
  const { page, tenant, signIn, siteUrl } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await heading(page, 'Team').waitFor();
  t.is(page.url(), `${siteUrl}/app/${tenant.organization.publicId}/${tenant.workspace.publicId}`);
});

test('an ended session shows the sign-in page and then the same page', async (t) => {
  const { page, tenant, signIn, signInHere, db, checkAccessibility, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'API keys');
  await page.getByRole('button', { name: /^Reveal/ }).waitFor();
  await db('sessions').delete();
  await goTo(page, 'People');
  await page.getByText('Your session has ended.').waitFor();
  await checkAccessibility();
  await signInHere(tenant.user.email);
  await heading(page, 'People').waitFor();
  t.deepEqual(complaints, []);
});

test('signing out everywhere ends sessions in other browsers', async (t) => {
  const { page, tenant, signIn, db, call } = await dashboardSite(t);
  const other = await aSession(db, tenant.user, 'development');
  await signIn(tenant.user.email, '/app/account');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(page, 'Sign in').waitFor();
  t.is((await call('GET /auth/session', { headers: other.headers })).status, 401);
  await page.reload();
  await heading(page, 'Sign in').waitFor();
});

test('the content security policy blocks inline scripts and styles', async (t) => {
  const { page, siteUrl, complaints } = await dashboardSite(t);
  await page.goto(siteUrl);
  await heading(page, 'Sign in').waitFor();
  t.deepEqual(complaints, []);
  await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red">red</p>');
  })()`);
  t.is(await page.evaluate('window.wasRun'), undefined);
  t.is(
    complaints.filter((complaint) => complaint.includes('Content Security Policy')).length,
    2,
    complaints.join('\n'),
  );
});
