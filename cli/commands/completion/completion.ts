import { command } from '../definition.ts';
import { completables } from './completables.ts';
import { completionScript, type Shell, shells } from './completion-script.ts';

export const completion = command('completion <shell>', {
  summary: 'Print a shell completion script',
  examples: ['eval "$(channels completion bash)"', 'fish > ~/.config/fish/completions/channels.fish'],
  operands: { shell: { text: 'shell to complete in', choices: shells } },
  async run({ output, program }, [shell]) {
    output.raw(completionScript(shell as Shell, completables(program)));
  },
});
