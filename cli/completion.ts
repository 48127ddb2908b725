// Scripts that let a shell complete the names of subcommands and options, made from the commands themselves.
import type { Command } from "commander";
import { CommandError } from "@/cli/exit-codes";

export const shells = ["bash", "zsh", "fish"] as const;

interface Node {
  /** Without the program's own name; empty for the program. */
  readonly path: string;
  readonly words: readonly string[];
}

function nodesOf(command: Command, path: readonly string[]): readonly Node[] {
  const global = command.parent === null ? [] : rootOf(command).options;
  const options = [...command.options, ...global].flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((child) => child.name()), ...options, "--help"];
  return [
    { path: path.join(" "), words: [...new Set(words)] },
    ...command.commands.flatMap((child) => nodesOf(child, [...path, child.name()])),
  ];
}

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

function bash(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`).join("\n");
  return `# eval "$(reclaim completion bash)"
_reclaim() {
  local path="" word words=""
  local current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${nodes
      .map(({ path }) => path.replaceAll(" ", "_"))
      .filter((path) => path !== "")
      .join(" ")} " in
      *" \${path:+\${path// /_}_}$word "*) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _reclaim reclaim
`;
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.map(
    ({ path, words }) => `complete -c reclaim -f -n '__reclaim_at "${path}"' -a '${words.join(" ")}'`,
  );
  return `# reclaim completion fish | source
function __reclaim_at
    set -l known ${nodes
      .filter(({ path }) => path !== "")
      .map(({ path }) => `'${path}'`)
      .join(" ")}
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l next (string join ' ' $path $word)
        contains -- $next $known; and set path $next
    end
    test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** For the shell to read, as the first line of each says. */
export function completionScript(shell: string, program: Command): string {
  const nodes = nodesOf(program, []);
  switch (shell) {
    case "bash":
      return bash(nodes);
    case "zsh":
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(nodes).replace('eval "$(reclaim completion bash)"', 'eval "$(reclaim completion zsh)"')}`;
    case "fish":
      return fish(nodes);
    default:
      throw new CommandError(
        "usage",
        `There is no completion for ${shell}.`,
        `There is for ${shells.join(", ")}.`,
      );
  }
}
