import { Argument, type Command } from 'commander';
import { addCommand } from '../arguments.ts';
import { completables } from './completables.ts';
import { completionScript, type Shell, shells } from './completion-script.ts';
import type { Act } from '../run.ts';

export function addCompletion(program: Command, act: Act): void {
  addCommand(program, 'completion', {
    summary: 'Print a shell completion script',
    examples: [
      'eval "$(channels completion bash)"',
      'channels completion fish > ~/.config/fish/completions/channels.fish',
    ],
  })
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells))
    .action(
      act(async ({ output }, shell: Shell) => {
        output.raw(completionScript(shell, completables(program)));
      }),
    );
}
