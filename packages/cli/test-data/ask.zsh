# Asks a real zsh what it would complete: ask.zsh <script> <line> <file>. What it would insert comes into the file, then END.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -u -D; source '$1
zpty -w shell 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -A found "$@"; (( $#found )) && print -rl -- $found >> '$3'; builtin compadd "$@" }'
zpty -w shell 'finish() { print END >> '$3' }; zle -N finish; bindkey "^I" complete-word "^G" finish'
zpty -w -n shell "$2"$'\t\a'
until [[ -e $3 ]] && grep -q "^END$" $3; do zpty -r -t shell line || sleep 0.02; done
zpty -d shell
