import { escapeHtml } from '../servers/escape-html.ts';
import type { SimulatedAccount } from './accounts.ts';

export interface ConsentForm {
  readonly accounts: readonly SimulatedAccount[];
  readonly hidden: Readonly<Record<string, string>>;
}

export function consentPage({ accounts, hidden }: ConsentForm): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const boxes = accounts.map(
    ({ id, name }) =>
      `<p><label><input type="checkbox" name="account" value="${escapeHtml(id)}"> ${escapeHtml(name)} (${escapeHtml(id)})</label></p>`,
  );
  return page(
    'Platform simulator: permission',
    `<p>The app <strong>${escapeHtml(hidden['client_id'] ?? '')}</strong> requests these permissions:
<code>${escapeHtml(hidden['scope'] ?? '')}</code></p>
<form method="post" action="">
${fields.join('\n')}
<fieldset><legend>Accounts that the app may use</legend>
${boxes.length > 0 ? boxes.join('\n') : '<p>You have no account of this kind.</p>'}
</fieldset>
<p><button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="refuse">Refuse</button></p>
</form>`,
  );
}

export function consentProblem(text: string): string {
  return page('Platform simulator: invalid request', `<p>${escapeHtml(text)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;
}
