import type { ServerResponse } from 'node:http';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Pages show untrusted text, so nothing may run or load. */
export const CSP = "default-src 'none'; style-src 'unsafe-inline'";

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

interface HtmlPage {
  readonly title: string;
  readonly body: string;
  /** Optional. Reloads the page. */
  readonly everySeconds?: number;
}

export function htmlPage({ title, body, everySeconds }: HtmlPage): string {
  const refresh = everySeconds === undefined ? '' : `\n<meta http-equiv="refresh" content="${everySeconds}">`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
  section { overflow-x: auto }
  article { border-top: 1px solid #767676; padding: 1rem 0 }
  h2, caption { font-size: 1.1rem; font-weight: 600; margin: 0; text-align: left }
  table { border-collapse: collapse; width: 100% }
  th, td { border-bottom: 1px solid #767676; padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top }
  td { overflow-wrap: anywhere }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;
}

/** `policy`: optional, more than the usual content security policy. */
export function sendHtml(
  response: ServerResponse,
  status: number,
  { html, policy = CSP }: { readonly html: string; readonly policy?: string },
): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...headers, 'content-security-policy': policy }).end(html);
}
