import { Argument, type Command } from 'commander';
import { leaf } from './arguments.ts';
import { completables, completionScript, type Shell, shells } from './completion-script.ts';
import type { Act } from './run.ts';

export function addCompletion(program: Command, act: Act): void {
  leaf(program, 'completion', {
    summary: 'Prints what makes a shell complete commands and options',
    examples: [
      'eval "$(channels completion bash)"',
      'channels completion fish > ~/.config/fish/completions/channels.fish',
    ],
  })
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action(
      act(async ({ output }, shell: Shell) => {
        output.raw(completionScript(shell, completables(program)));
      }),
    );
}
