import type { Command } from 'commander';
import { addCommand, addGroup } from '../commands/arguments.ts';
import type { Act } from '../commands/run.ts';

export function addOrganizations(program: Command, act: Act): void {
  const organizations = addGroup(program, 'organizations', 'Create an organization, after `channels login --session`');
  addCommand(organizations, 'create <name>', {
    summary: 'Create an organization of your own',
    examples: ["channels organizations create 'Acme'"],
  }).action(
    act(async ({ client, output }, name: string) => {
      const created = await (await client()).post('/organizations', { body: { name } });
      output.record(created, [
        ['Organization', created.id],
        ['Name', created.name],
      ]);
    }),
  );
}
