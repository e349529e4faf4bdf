# Prints what fish completes after the line $argv[2] with the script $argv[1]: one completion a line, with a tab before its description.
source $argv[1]
complete -C $argv[2]
