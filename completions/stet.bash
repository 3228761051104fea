# bash completion for stet(1)

_stet_run_options='--image --image-limit --workdir --mount --fetch --fetch-limit --env --user --hostname --epoch --time --seed --entropy
  --cpu --cpus --memory --kernel --timers --net --stdin --tty --timeout --save --relax --strict-order --digest
  --attest --json --stats --log --quiet --verbose --help'
_stet_vary='all none time random path order locale host aslr parallel user umask timezone environment home exec_path
  kernel cpus machine pid inode load'
_stet_relax='all time random pid inode mtime dirents order threads cpu address proc env net'

_stet_rerun_options='--extract --image-limit --timeout --save --digest --stats --log --json --quiet --verbose --help'

# Completes the last element of a list of names separated by commas.
_stet_relax_list() {
  local done=
  [[ $cur == *,* ]] && done=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$done" -W "${1:-$_stet_relax}" -- "${cur##*,}")
}

# Of pack and verify too, which have a few options more.
_stet_run() {
  local word index=2 more=
  [[ ${words[1]} == pack ]] && more='--output --list --json'
  [[ ${words[1]} == verify ]] && more='--runs --parallel --vary --native --bisect --speed --keep --json --html'
  # The command starts behind -- or at the first word that is no option.
  while ((index < cword)); do
    word=${words[index]}
    case $word in
    --) _command_offset $((index + 1)); return ;;
    -C | -e | -o | --output | --json | --runs | --vary | --keep | --html | --image | --image-limit | --workdir | --mount | --fetch | --fetch-limit | --env | --user | --hostname | --epoch | --time | \
      --seed | --entropy | --cpu | --cpus | --memory | --kernel | --timers | --net | --stdin | \
      --timeout | --save | --attest | --json | --relax | --log)
      ((index += 2)) ;;
    -*) ((index += 1)) ;;
    *) _command_offset "$index"; return ;;
    esac
  done
  case $prev in
  -C | --workdir) _filedir -d ;;
  --image | --mount | --stdin | --save | --attest | --json | --html | --log) _filedir ;;
  --time) mapfile -t COMPREPLY < <(compgen -W 'warp stop host' -- "$cur") ;;
  --entropy) mapfile -t COMPREPLY < <(compgen -W 'seed host record: replay:' -- "$cur") ;;
  --cpu) mapfile -t COMPREPLY < <(compgen -W 'x86-64 x86-64-v2 x86-64-v3 host' -- "$cur") ;;
  --timers) mapfile -t COMPREPLY < <(compgen -W 'logical instant' -- "$cur") ;;
  --net) mapfile -t COMPREPLY < <(compgen -W 'none loopback' -- "$cur") ;;
  --relax) _stet_relax_list ;;
  --vary) _stet_relax_list "$_stet_vary" ;;
  --keep) _filedir -d ;;
  -e | --env) mapfile -t COMPREPLY < <(compgen -e -- "$cur") ;;
  --runs | --image-limit | --fetch | --fetch-limit | --user | --hostname | --timeout | --epoch | --seed | --cpus | --memory | --kernel) ;;
  *)
    if [[ $cur == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$_stet_run_options $more" -- "$cur")
    else
      _command_offset "$index"
    fi
    ;;
  esac
}

_stet_image() {
  local options='--help'
  if ((cword == 2)); then
    mapfile -t COMPREPLY < <(compgen -W 'list inspect import digest prune rm --help' -- "$cur")
    return
  fi
  case $prev in
  --json) _filedir; return ;;
  --image-limit | --older) return ;;
  esac
  case ${words[2]} in
  list) options='--json --help' ;;
  inspect) options='--json --image-limit --quiet --help' ;;
  import) options='--image-limit --quiet --help' ;;
  digest) options='--check --image-limit --quiet --help' ;;
  prune) options='--all --older --dry-run --help' ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  elif [[ ${words[2]} == @(inspect|import|digest) ]]; then
    _filedir
  fi
}

_stet_attest() {
  if ((cword == 2)); then
    mapfile -t COMPREPLY < <(compgen -W 'verify --help' -- "$cur")
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--image --mount --fetch --stdin --entropy --timeout --json --quiet --help' -- "$cur")
  elif [[ $prev == --entropy ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'replay:' -- "$cur")
  elif [[ $prev != --fetch && $prev != --timeout ]]; then
    _filedir
  fi
}

_stet_deb() {
  case $prev in
  -o | --output | --image | --keep) _filedir -d ;;
  --mount | --json) _filedir ;;
  --relax) _stet_relax_list ;;
  -e | --env) mapfile -t COMPREPLY < <(compgen -e -- "$cur") ;;
  -j | --jobs | --hostname | --timeout | --epoch | --seed | --cpus | --memory | --kernel) ;;
  *)
    if [[ $cur == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W '--output --jobs --once --keep --json --stats --image --image-limit --mount --env --hostname --net
        --timeout --epoch --time --seed --cpu --cpus --memory --kernel --timers --relax --strict-order --quiet --verbose
        --help' -- "$cur")
    else
      _filedir dsc
    fi
    ;;
  esac
}

_stet_diff() {
  case $prev in
  --level) mapfile -t COMPREPLY < <(compgen -W 'structure content bits' -- "$cur") ;;
  --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur") ;;
  --ignore | --memory-limit | --depth) ;;
  *)
    if [[ $cur == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W '--level --text --json --html --ignore --times --full --memory-limit
        --depth --color --quiet --help' -- "$cur")
    else
      _filedir
    fi
    ;;
  esac
}

_stet_rerun() {
  case $prev in
  --extract | --save) _filedir -d ;;
  --image-limit | --timeout) ;;
  *)
    if [[ $cur == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$_stet_rerun_options" -- "$cur")
    else
      _filedir
    fi
    ;;
  esac
}

_stet() {
  local cur prev words cword
  _init_completion || return
  if ((cword == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'attest deb diff image pack rerun run verify --help --version' -- "$cur")
  elif [[ ${words[1]} == @(pack|verify) ]]; then
    _stet_run
  elif declare -F "_stet_${words[1]}" >/dev/null; then
    "_stet_${words[1]}"
  fi
}

complete -F _stet stet
