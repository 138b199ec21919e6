import { escapeHtml, htmlPage } from '../servers/html.ts';
import type { InboxMessage } from './inbox-log.ts';

export function inboxPage(messages: readonly InboxMessage[]): string {
  const body = messages.map(article).join('\n') || '<p>No emails yet. Reload the page to see new ones.</p>';
  return htmlPage({ title: 'Mail inbox', body });
}

function article({ number, receivedAt, from, to, subject, text, html }: InboxMessage): string {
  return `<article id="mail-${number}">
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to.join(', '))}, from ${escapeHtml(from)}, <time>${escapeHtml(receivedAt)}</time></p>
${html === null ? '' : `<p><a href="/messages/${number}/html">Show as HTML</a></p>\n`}<pre>${escapeHtml(text)}</pre>
</article>`;
}
