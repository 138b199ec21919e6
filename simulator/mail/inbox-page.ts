import { escapeHtml } from '../servers/escape-html.ts';
import type { InboxMessage } from './inbox-log.ts';

export function inboxPage(messages: readonly InboxMessage[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mail inbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem }
  article { border-top: 1px solid #767676; padding: 1rem 0 }
  h2 { font-size: 1.1rem; margin: 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>Mail inbox</h1>
${messages.map(article).join('\n') || '<p>No emails yet. Reload the page to see new ones.</p>'}
</html>
`;
}

function article({ number, receivedAt, from, to, subject, text, html }: InboxMessage): string {
  return `<article id="mail-${number}">
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to.join(', '))}, from ${escapeHtml(from)}, <time>${escapeHtml(receivedAt)}</time></p>
${html === null ? '' : `<p><a href="/messages/${number}/html">Show as HTML</a></p>\n`}<pre>${escapeHtml(text)}</pre>
</article>`;
}
