import test from 'ava';
import { chaptersOf, type ReferenceDocument } from '../../../api/docs/reference/document.ts';
import { html, inline } from '../../../api/docs/reference/html.ts';
import { referencePages } from '../../../api/docs/reference/pages.ts';
import { openApiText } from '../../../openapi/document/open-api-document.ts';
import { testApi } from '../../harness/api/api.ts';

const document = JSON.parse(
  openApiText({ baseUrl: 'https://channels.example.com', deployment: 'production' }),
) as ReferenceDocument;

test('every operation has a section in the chapter of its tag', (t) => {
  const pages = referencePages(document);
  const chapters = chaptersOf(document);
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  const count = items.reduce((sum, item) => sum + Object.keys(item).length, 0);
  t.is(chapters.flatMap(({ operations }) => operations).length, count);
  for (const { slug, operations } of chapters) {
    const text = pages.get(slug)?.body.text ?? '';
    for (const { operation } of operations) t.true(text.includes(`<section id="${operation.operationId}"`), slug);
  }
});

test('each page has one first heading and unique ids', (t) => {
  for (const [chapter, { body }] of referencePages(document)) {
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

test('an unknown chapter of the reference does not exist', async (t) => {
  const { url } = await testApi(t);
  t.is((await fetch(`${url}/docs/deliveries`)).status, 200);
  t.is((await fetch(`${url}/docs/none`)).status, 404);
});
