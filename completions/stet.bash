# bash completion for stet(1)

_stet_run_options='--image --image-limit --workdir --mount --fetch --fetch-limit --env --user --hostname --epoch --time --seed --entropy
  --cpu --cpus --memory --kernel --timers --net --stdin --tty --timeout --save --relax --strict-order --digest
  --stats --log --quiet --verbose --help'
_stet_relax='all time random pid inode mtime dirents order threads cpu address proc env net'

# Completes the last element of a list of names separated by commas.
_stet_relax_list() {
  local done=
  [[ $cur == *,* ]] && done=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$done" -W "$_stet_relax" -- "${cur##*,}")
}

_stet_run() {
  local word index=2
  # The command starts behind -- or at the first word that is no option.
  while ((index < cword)); do
    word=${words[index]}
    case $word in
    --) _command_offset $((index + 1)); return ;;
    -C | -e | --image | --image-limit | --workdir | --mount | --fetch | --fetch-limit | --env | --user | --hostname | --epoch | --time | \
      --seed | --entropy | --cpu | --cpus | --memory | --kernel | --timers | --net | --stdin | \
      --timeout | --save | --relax | --log)
      ((index += 2)) ;;
    -*) ((index += 1)) ;;
    *) _command_offset "$index"; return ;;
    esac
  done
  case $prev in
  -C | --workdir | --save) _filedir -d ;;
  --image | --mount | --stdin | --log) _filedir ;;
  --time) mapfile -t COMPREPLY < <(compgen -W 'warp stop host' -- "$cur") ;;
  --entropy) mapfile -t COMPREPLY < <(compgen -W 'seed host record: replay:' -- "$cur") ;;
  --cpu) mapfile -t COMPREPLY < <(compgen -W 'x86-64 x86-64-v2 x86-64-v3 host' -- "$cur") ;;
  --timers) mapfile -t COMPREPLY < <(compgen -W 'logical instant' -- "$cur") ;;
  --net) mapfile -t COMPREPLY < <(compgen -W 'none loopback' -- "$cur") ;;
  --relax) _stet_relax_list ;;
  -e | --env) mapfile -t COMPREPLY < <(compgen -e -- "$cur") ;;
  --image-limit | --fetch | --fetch-limit | --user | --hostname | --timeout | --epoch | --seed | --cpus | --memory | --kernel) ;;
  *)
    if [[ $cur == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$_stet_run_options" -- "$cur")
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

_stet() {
  local cur prev words cword
  _init_completion || return
  if ((cword == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run image --help --version' -- "$cur")
  elif [[ ${words[1]} == run ]]; then
    _stet_run
  elif [[ ${words[1]} == image ]]; then
    _stet_image
  fi
}

complete -F _stet stet
