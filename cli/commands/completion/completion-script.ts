import type { Completable, Values } from './completables.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

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

/** Fixed words, the kind of IDs to ask for, or `-` for neither. */
function bashValues(values: Values): string {
  if (values === null) return '-';
  return typeof values === 'string' ? values : `=${values.join(',')}`;
}

const bashFunction = `_channels() {
  local words operands value path='' word previous='' next
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local -a rest=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if _channels_value "$path $previous"; then previous=''; continue; fi
    previous="$word"
    case "$word" in -*) continue ;; esac
    next="\${path:+$path }$word"
    if _channels_words "$next"; then path="$next"; rest=(); else rest+=("$word"); fi
  done
  _channels_words "$path"
  if _channels_value "$path $previous"; then
    words=''
  else
    local -a kinds=($operands)
    value="\${kinds[\${#rest[@]}]:--}"
  fi
  case "$current" in -*) value='-' ;; esac
  case "$value" in
    -) ;;
    =*) words="$words \${value//[=,]/ }" ;;
    *) words="$words $(channels __complete "$value" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | cut -f1)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
`;

function bash(all: readonly Completable[]): string {
  const cases = all.map(({ path, commands, options, operands }) => {
    const words = [...commands, ...options].map(({ name }) => name).join(' ');
    return `    '${path}') words='${words}' operands='${operands.map(bashValues).join(' ')}' ;;`;
  });
  const values = all.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((one) => `'${path} ${one.name}') value='${bashValues(one.values)}' ;;`),
  );
  return `# channels completion: eval "$(channels completion bash)"
_channels_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_channels_value() {
  case "$1" in
    ${values.join('\n    ')}
    *) return 1 ;;
  esac
}
${bashFunction}complete -o default -F _channels channels
`;
}

function fish(all: readonly Completable[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
  const offered = (values: Values): string[] => {
    if (values === null) return [];
    return [
      quoted(typeof values === 'string' ? `(channels __complete ${values} (commandline -opc))` : values.join(' ')),
    ];
  };
  const lines = all.flatMap(({ path, commands, options, operands }) => {
    const names = commands.map(({ name }) => name).join(' ');
    const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const none = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
    const condition = quoted([...seen, ...none].join('; and ') || 'true');
    const start = `complete -c channels -n ${condition}`;
    return [
      ...commands.map(({ name, summary }) => `${start} -f -a ${name} -d ${quoted(summary)}`),
      ...operands.flatMap(offered).map((words) => `${start} -f -a ${words}`),
      ...options.map(({ name, takesValue, values }) => {
        const value = offered(values).map((words) => ` -f -a ${words}`);
        return `${start} -l ${name.slice('--'.length)}${takesValue ? ' -r' : ''}${value.join('')}`;
      }),
    ];
  });
  return `# channels completion fish | source\n${lines.join('\n')}\n`;
}
