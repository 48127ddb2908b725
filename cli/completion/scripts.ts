// Completion scripts for shells. They call `reclaim __complete`, which prints candidates, one per line.
import { CommandError } from "@/cli/exit-codes";

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const isShell = (text: string): text is Shell => shells.some((shell) => shell === text);

/** bash splits words at colons (COMP_WORDBREAKS), so candidates must omit what stands before the colon. */
const bash = `# eval "$(reclaim completion bash)"
_reclaim() {
  local line="\${COMP_LINE:0:COMP_POINT}" word
  local -a given
  read -ra given <<<"$line"
  local current=""
  case "$line" in
    *[[:space:]]) ;;
    *) current="\${given[\${#given[@]}-1]}"; unset "given[\${#given[@]}-1]" ;;
  esac
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == *: ]] && compopt -o nospace 2>/dev/null
    [[ $COMP_WORDBREAKS == *:* ]] && word="\${word#"\${current%"\${current##*:}"}"}"
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${given[@]:1}" "$current" 2>/dev/null)
}
complete -o default -F _reclaim reclaim
`;

const zsh = `# eval "$(reclaim completion zsh)"
_reclaim() {
  local -a found
  found=("\${(@f)$(reclaim __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*:}
  compadd -- \${found:#*:}
}
compdef _reclaim reclaim
`;

const fish = `# reclaim completion fish | source
complete -c reclaim -f -a '(reclaim __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

/** To be evaluated by the shell, as the first line of each script says. */
export function completionScript(shell: string): string {
  if (isShell(shell)) return scripts[shell];
  throw new CommandError(
    "usage",
    `There is no completion for ${shell}.`,
    `There is for ${shells.join(", ")}.`,
  );
}
