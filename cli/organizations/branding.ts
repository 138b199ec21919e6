import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, addGroup, parseList } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';

interface SetOptions {
  readonly displayName?: string;
  readonly logoUrl?: string;
  readonly color?: string;
  readonly frameAncestor?: string[];
}

export function addBranding(program: Command, act: Act): void {
  const branding = addGroup(program, 'branding', 'Show and change how pages for customers look');
  addCommand(branding, 'show', { summary: 'Show the branding', examples: ['channels branding show'] }).action(
    act(async (run) => showBranding(run, await read(run))),
  );
  addCommand(branding, 'set', {
    summary: 'Change the given values; none removes one',
    examples: [
      "channels branding set --display-name 'Acme' --color '#0b5fff'",
      'channels branding set --frame-ancestor https://app.example.com',
    ],
  })
    .option('--display-name <name>', 'name on pages for customers')
    .option('--logo-url <url>', 'https image on pages for customers')
    .option('--color <#rrggbb>', 'color of the portal')
    .option('--frame-ancestor <origins>', 'all origins that may show the portal in a frame', parseList)
    .action(act(change));
}

async function at(run: Run) {
  return { params: { path: { org: await run.organizationId() } } };
}

async function read(run: Run): Promise<Schema<'Branding'>> {
  return await (await run.client()).get('/organizations/{org}/branding', await at(run));
}

/** The API replaces all values, so those that are not given are kept here. */
async function change(run: Run, { displayName, logoUrl, color, frameAncestor }: SetOptions): Promise<void> {
  const value = (text: string | undefined) => (text === 'none' ? null : text);
  const given = omitUndefined({
    displayName: value(displayName),
    logoUrl: value(logoUrl),
    color: value(color),
    portalFrameAncestors: frameAncestor?.join() === 'none' ? [] : frameAncestor,
  });
  if (Object.keys(given).length === 0) throw usageError('Give at least one value to change.');
  const { textColor: _derived, ...before } = await read(run);
  const body = { ...before, ...given };
  showBranding(run, await (await run.client()).put('/organizations/{org}/branding', { ...(await at(run)), body }));
}

function showBranding(run: Run, branding: Schema<'Branding'>): void {
  run.output.record(branding, [
    ['Name', branding.displayName],
    ['Logo', branding.logoUrl],
    ['Color', branding.color],
    ['Frame ancestors', branding.portalFrameAncestors.join(', ') || null],
  ]);
}
