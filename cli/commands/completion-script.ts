import type { Command } from 'commander';

export interface Completable {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly string[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function completables(program: Command): Completable[] {
  const globals = program.options.map(({ long }) => long ?? '').filter(Boolean);
  const walk = (command: Command, path: readonly string[]): Completable[] => {
    const own = command.options.map(({ long }) => long ?? '').filter(Boolean);
    const commands = command.commands.map((one) => ({ name: one.name(), summary: one.description() }));
    const options = [...new Set([...own, ...globals, '--help'])];
    return [
      { path: path.join(' '), commands, options },
      ...command.commands.flatMap((one) => walk(one, [...path, one.name()])),
    ];
  };
  return walk(program, []);
}

export function completionScript(shell: Shell, all: readonly Completable[]): string {
  switch (shell) {
    case 'bash':
      return bash(all);
    case 'zsh':
      return `#compdef channels\nautoload -U +X bashcompinit && bashcompinit\n${bash(all)}`;
    case 'fish':
      return fish(all);
  }
}

function bash(all: readonly Completable[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options].join(' ');
    return `    '${path}') words='${words}' ;;`;
  });
  return `# channels completion: eval "$(channels completion bash)"
_channels_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_channels() {
  local words path='' word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    next="\${path:+$path }$word"
    if _channels_words "$next"; then path="$next"; fi
  done
  _channels_words "$path"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _channels channels
`;
}

function fish(all: readonly Completable[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
  const lines = all.flatMap(({ path, commands, options }) => {
    const names = commands.map(({ name }) => name).join(' ');
    const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const none = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
    const condition = quoted([...seen, ...none].join('; and ') || 'true');
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c channels -f -n ${condition} -a ${name} -d ${quoted(summary)}`,
      ),
      ...options.map((option) => `complete -c channels -n ${condition} -l ${option.slice('--'.length)}`),
    ];
  });
  return `# channels completion fish | source\n${lines.join('\n')}\n`;
}
