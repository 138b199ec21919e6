import test from 'ava';
import { chaptersOf, pageSlugs, type ReferenceDocument } from '../../../api/docs/reference/document.ts';
import { html, inline } from '../../../api/docs/reference/html.ts';
import { referencePage } from '../../../api/docs/reference/pages.ts';
import { openApiText } from '../../../openapi/document/open-api-document.ts';
import { testApi } from '../../harness/api/api.ts';

const document = JSON.parse(
  openApiText({ baseUrl: 'https://channels.example.com', deployment: 'production' }),
) as ReferenceDocument;

test('every operation has a section in the chapter of its tag', (t) => {
  const chapters = chaptersOf(document);
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  const count = items.reduce((sum, item) => sum + Object.keys(item).length, 0);
  t.is(chapters.flatMap(({ operations }) => operations).length, count);
  for (const { slug, operations } of chapters) {
    const { text } = referencePage(document, slug).body;
    for (const { operation } of operations) t.true(text.includes(`<section id="${operation.operationId}"`), slug);
  }
});

test('each page has one first heading and unique ids', (t) => {
  for (const chapter of pageSlugs) {
    const { body } = referencePage(document, chapter);
    t.is(body.text.split('<h1').length, 2, chapter);
    const ids = [...body.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    t.is(new Set(ids).size, ids.length, chapter);
  }
});

test('text of the document is escaped', (t) => {
  t.is(html`<p title="${'"x"'}">${'<b>&'}</p>`.text, '<p title="&quot;x&quot;">&lt;b&gt;&amp;</p>');
  t.is(
    inline('`a<b` and [a guide](https://example.com/x) [no](javascript:x)').text,
    '<code>a&lt;b</code> and <a href="https://example.com/x">a guide</a> [no](javascript:x)',
  );
});

const sectionOf = (operationId: string): string => {
  const pages = [...pageSlugs].map((slug) => referencePage(document, slug).body.text);
  const [, section = ''] = pages.join('').split(`<section id="${operationId}"`);
  return section.split('</section>')[0]!;
};

test('samples name a credential that the operation takes', (t) => {
  t.regex(sectionOf('createSubscription'), /\$SERVICE_API_KEY/);
  t.regex(sectionOf('createApiKey'), /\$SERVICE_ACCESS_TOKEN/);
  t.regex(sectionOf('retryStaffDelivery'), /\$STAFF_API_KEY/);
  t.notRegex(sectionOf('getHealth'), /Authorization/);
});

test('a closed list is shown wherever it is defined', (t) => {
  t.regex(sectionOf('createSubscription'), /<code>chatapp\.message\.received<\/code>/);
});

test('a body without fixed fields has its description', (t) => {
  t.regex(sectionOf('sendMessage'), /One of two forms\. <code>\{to, text\}<\/code> sends a text/);
  t.regex(sectionOf('acceptPlatformEvents'), /Events in the platform's format[^]*<code class="name">entry<\/code>/);
});

test('the Python sample has a literal as body', (t) => {
  t.true(sectionOf('sendMessage').includes('body = {\n    &quot;to&quot;: '));
  t.true(sectionOf('createApiKey').includes('&quot;expiresAt&quot;: '));
  t.notRegex(
    sectionOf('createApiKey').split('data-language="python"')[1]!.split('</pre>')[0]!,
    /\\|: null|: true|: false/,
  );
});

test('samples of uploads send a file', (t) => {
  const uploads = [...Object.values(document.paths)]
    .flatMap((item) => Object.values(item))
    .filter(({ requestBody }) => requestBody?.content['multipart/form-data']);
  t.true(uploads.length > 0);
  for (const { operationId } of uploads) {
    const section = sectionOf(operationId);
    for (const sends of ['--data-binary @photo.jpg', 'openAsBlob', 'data=body,', 'os.Open'])
      t.true(section.includes(sends));
  }
});

test('an unknown chapter of the reference does not exist', async (t) => {
  const { url } = await testApi(t);
  t.is((await fetch(`${url}/docs/deliveries`)).status, 200);
  const program = await fetch(`${url}/docs/none`);
  t.is(program.status, 404);
  t.regex(await program.text(), /"ROUTE_NOT_FOUND"/);
  const browser = await fetch(`${url}/docs/none`, { headers: { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' } });
  t.is(browser.status, 404);
  t.regex(await browser.text(), /<h1>Page not found<\/h1>[^]*<a href="\/docs">/);
});
