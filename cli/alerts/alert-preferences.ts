import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, addGroup, readJsonInput } from '../commands/arguments.ts';
import type { Act, Run } from '../commands/run.ts';

type Preferences = Schema<'AlertPreferences'>;

export function addAlertPreferences(alerts: Command, act: Act): void {
  const group = addGroup(alerts, 'preferences', 'Choose the alerts that you get by email');
  addCommand(group, 'show', {
    summary: 'Show your rules; requires a session (`channels login --session`)',
    examples: ['channels alerts preferences show', 'channels alerts preferences show --json > rules.json'],
  }).action(act(show));
  addCommand(group, 'set <file>', {
    summary: 'Replace your rules with those of a JSON file, or - for standard input; requires a session',
    examples: ['channels alerts preferences set rules.json'],
  }).action(act(set));
}

async function at(run: Run) {
  return { params: { path: { org: await run.organizationId() } } };
}

async function show(run: Run): Promise<void> {
  const client = await run.client();
  showRules(run, await client.get('/organizations/{org}/alert-preferences', await at(run)));
}

async function set(run: Run, file: string): Promise<void> {
  const body = (await readJsonInput(run.world, file)) as Preferences; // the API checks it
  const client = await run.client();
  showRules(run, await client.put('/organizations/{org}/alert-preferences', { ...(await at(run)), body }));
}

function showRules({ output }: Run, preferences: Preferences): void {
  if (output.isJson) return output.json(preferences);
  if (preferences.rules.length === 0) return output.note('You get no emails about alerts.');
  output.table(preferences.rules, [
    { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId ?? 'all' },
    { title: 'SEVERITY', of: ({ minSeverity }) => (minSeverity === 'critical' ? 'critical' : 'all') },
    { title: 'KINDS', of: ({ kinds }) => kinds?.join(', ') ?? 'all' },
  ]);
}
