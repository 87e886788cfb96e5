import type { Option, Options } from './options';

/** Description of a command for completion. */
export interface Described {
  name: string;
  summary: string;
  options: Options;
  /** Words that its first argument may be. */
  words: readonly string[];
  /** Whether names in a file follow the file: a tree and its branches, or the paths of objects. */
  inside: boolean;
}

/** The option whose value is a list of branches. */
const BRANCHES = 'branches';

const flagsOf = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);

/** Whether the value of an option is a path. */
const takesPath = ({ value }: Option): boolean => value !== undefined && /^(OUT|FILE|SAVED)$/.test(value);

/** For bash from 3.2 on; the functions of bash-completion are not needed. */
export function bashCompletion(all: readonly Described[]): string {
  const cases = all.map(
    (one) =>
      `    ${one.name}) options='${flagsOf(one.options).join(' ')}'; words='${one.words.join(' ')}' ;;`,
  );
  const values = all.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, spec]) => {
      if (spec.type === 'boolean') return [];
      const flags = [`${name},--${option}`, ...(spec.short ? [`${name},-${spec.short}`] : [])].join('|');
      if (spec.choices) {
        const list = spec.multiple ? '_xylem_list' : '_xylem_words';
        return [`    ${flags}) ${list} '${spec.choices.join(' ')}'; return ;;`];
      }
      if (option === BRANCHES) return [`    ${flags}) _xylem_branches; return ;;`];
      return [`    ${flags}) ${takesPath(spec) ? '_xylem_files' : ':'}; return ;;`];
    }),
  );
  const inside = all.flatMap(({ name, inside }) => (inside ? [name] : [])).join('|');
  return `# Completions of xylem for bash.
_xylem_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}
# The last of several with commas between them.
_xylem_list() {
  local word last=\${cur##*,}
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "\${cur%"$last"}" -W "$1" -- "$last")
}
# Folders, and files that end as is said.
_xylem_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(
    compgen -d -- "$cur"
    compgen -f -X "\${1:+!*$1}" -- "$cur" | while IFS= read -r name; do [[ -d $name ]] || printf '%s\\n' "$name"; done
  )
}
# The first file of the line, and the word after it, which may be its tree.
_xylem_place() {
  local i
  file='' tree=''
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ -z $file ]]; then [[ -f \${COMP_WORDS[i]} ]] && file=\${COMP_WORDS[i]}
    elif [[ -z $tree && \${COMP_WORDS[i]} != -* && \${COMP_WORDS[i-1]} == "$file" ]]; then tree=\${COMP_WORDS[i]}
    fi
  done
}
# Trees, objects or branches; the file is read, so only one of this machine.
_xylem_names() {
  local file tree
  _xylem_place
  [[ -n $file ]] && _xylem_words "$(xylem completion names "$file" \${tree:+"$tree"} 2>/dev/null)"
}
_xylem_branches() {
  local file tree
  _xylem_place
  [[ -n $file ]] && _xylem_list "$(xylem completion names "$file" "\${tree:-?}" 2>/dev/null)"
}
_xylem() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} options='' words=''
  COMPREPLY=()
  # "--sort=name" comes as three words.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD == 1)); then
    _xylem_words '${[...all.map(({ name }) => name), '--help', '--version'].join(' ')}'
    return
  fi
  case $command in
${cases.join('\n')}
    *) return ;;
  esac
  case $command,$prev in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then _xylem_words "$options"
  elif [[ -n $words ]] && ((COMP_CWORD == 2)); then _xylem_words "$words"
  else
    case $command in
    ${inside || '-'}) _xylem_names ;;
    esac
    ((\${#COMPREPLY[@]})) || _xylem_files .root
  fi
}
complete -F _xylem xylem
`;
}

/** Text within single quotes of any of the shells. */
const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;

/** For zsh: to be sourced, or saved as _xylem in a folder of fpath. */
export function zshCompletion(all: readonly Described[]): string {
  // Colons and brackets separate the parts of an argument of _arguments.
  const plain = (text: string): string => text.replace(/[\\:[\]]/g, '\\$&');
  const optionSpecs = (options: Options): string[] =>
    Object.entries(options).flatMap(([name, spec]) => {
      const action = spec.choices
        ? `(${spec.choices.join(' ')})`
        : takesPath(spec)
          ? '_files'
          : name === BRANCHES
            ? '_xylem_branches'
            : ' ';
      const list = spec.choices && spec.multiple ? `_sequence compadd - ${spec.choices.join(' ')}` : action;
      const value = spec.type === 'string' ? `:${plain(spec.value ?? name)}:${list}` : '';
      const repeat = spec.multiple ? '*' : '';
      const about = `[${plain(spec.about)}]`;
      const long = `${repeat}--${name}${spec.type === 'string' ? '=' : ''}${about}${value}`;
      return [long, ...(spec.short ? [`${repeat}-${spec.short}${about}${value}`] : [])].map(quoted);
    });
  const cases = all.map((one) => {
    const first = one.words.length > 0 ? [quoted(`1:word:(${one.words.join(' ')})`)] : [];
    const files = quoted(`*:file:${one.inside ? '_xylem_inside' : '_files -g "*.root(-.)"'}`);
    return `    ${one.name}) _arguments ${[...optionSpecs(one.options), ...first, files].join(' \\\n      ')} ;;`;
  });
  return `#compdef xylem
# Completions of xylem for zsh.
# The first file of the line, and the word after it, which may be its tree.
_xylem_place() {
  local i
  file='' tree=''
  for ((i = 2; i < CURRENT; i++)); do
    if [[ -z $file ]]; then [[ -f \${(Q)words[i]} ]] && file=\${(Q)words[i]}
    elif [[ -z $tree && $words[i] != -* && \${(Q)words[i-1]} == "$file" ]]; then tree=\${(Q)words[i]}
    fi
  done
}
_xylem_inside() {
  local file tree
  _xylem_place
  if [[ -z $file ]]; then _files -g '*.root(-.)'
  else compadd -- \${(f)"$(xylem completion names "$file" \${tree:+"$tree"} 2>/dev/null)"}
  fi
}
_xylem_branches() {
  local file tree
  _xylem_place
  [[ -n $file ]] && _sequence compadd - \${(f)"$(xylem completion names "$file" "\${tree:-?}" 2>/dev/null)"}
}
_xylem() {
  local -a commands
  commands=(
${all.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- --help --version
    else _describe -t commands command commands
    fi
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _xylem ]]; then _xylem "$@"
else compdef _xylem xylem
fi
`;
}

export function fishCompletion(all: readonly Described[]): string {
  // Within single quotes fish knows \' and \\.
  const fish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = all.flatMap((one) => {
    const seen = fish(`__fish_seen_subcommand_from ${one.name}`);
    const options = Object.entries(one.options).map(([name, spec]) => {
      const short = spec.short ? ` -s ${spec.short}` : '';
      const list = spec.multiple ? `(__fish_append , ${spec.choices?.join(' ')})` : spec.choices?.join(' ');
      const branches =
        name === BRANCHES ? ` -x -a ${fish('(__fish_append , (__xylem_names branches))')}` : ' -x';
      const value = spec.choices ? ` -x -a ${fish(list ?? '')}` : takesPath(spec) ? ' -r -F' : branches;
      return `complete -c xylem -n ${seen} -l ${name}${short}${spec.type === 'string' ? value : ''} -d ${fish(spec.about)}`;
    });
    return [
      `complete -c xylem -n __fish_use_subcommand -f -a ${one.name} -d ${fish(one.summary)}`,
      ...options,
      ...(one.inside ? [`complete -c xylem -n ${seen} -a ${fish('(__xylem_names)')}`] : []),
      ...(one.words.length > 0 ? [`complete -c xylem -n ${seen} -f -a ${fish(one.words.join(' '))}`] : []),
    ];
  });
  return `# Completions of xylem for fish.
# Names in the first file of the line, and in the word after it, if that is a tree.
function __xylem_names
  set -l words (commandline -opc)
  set -l file
  set -l tree
  for i in (seq 3 (count $words))
    if test -z "$file"
      test -f $words[$i]; and set file $words[$i]
    else if test -z "$tree"; and test $words[(math $i - 1)] = $file; and not string match -q -- '-*' $words[$i]
      set tree $words[$i]
    end
  end
  test -z "$file"; and return
  if test -z "$tree"; and test (count $argv) -gt 0
    set tree '?'
  end
  xylem completion names $file $tree 2>/dev/null
end
${lines.join('\n')}
complete -c xylem -n __fish_use_subcommand -l version -d 'which version this is'
complete -c xylem -n __fish_use_subcommand -s h -l help -d 'show the commands'
`;
}
