# Prints what zsh completes after the line $2 with the script $1: each completion in angle brackets. zsh completes only in a terminal.
# compadd with -O, -A or -D adds no completion.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=
compadd() {
  if [[ \" \$* \" != *' -'(O|A|D)' '* ]]; then
    local -a found
    builtin compadd -A found \"\$@\"
    local each
    for each in \$found; do print -r -- \"<\$each>\"; done
  fi
  builtin compadd \"\$@\"
}
finish() { print -r -- DO''NE; exit }
autoload -Uz compinit; compinit -u -D
source ${(q)1}
comppostfuncs=(finish)
bindkey '^I' complete-word
print REA''DY"
zpty -r shell out '*READY*'
zpty -n -w shell "$2"$'\t'
zpty -r shell out '*DONE*'
print -r -- "$out"
zpty -d shell
