import { escapeHtml, htmlPage } from '../servers/html.ts';

export interface ConsentForm {
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
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
  return htmlPage({
    title: 'Platform simulator: permission',
    body: `<p>The app <strong>${escapeHtml(hidden['client_id'] ?? '')}</strong> requests these permissions:
<code>${escapeHtml(hidden['scope'] ?? '')}</code></p>
<form method="post" action="">
${fields.join('\n')}
<fieldset><legend>Accounts that the app may use</legend>
${boxes.length > 0 ? boxes.join('\n') : '<p>You have no account of this kind.</p>'}
</fieldset>
<p><button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="refuse">Refuse</button></p>
</form>`,
  });
}

export function consentProblem(text: string): string {
  return htmlPage({ title: 'Platform simulator: invalid request', body: `<p>${escapeHtml(text)}</p>` });
}
