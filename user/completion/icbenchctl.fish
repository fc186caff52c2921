# SPDX-License-Identifier: GPL-2.0
# fish completion for icbenchctl

function __icbenchctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :nospace
            case '*'
                echo $line
        end
    end
end

complete -c icbenchctl -f -a '(__icbenchctl_complete)'
