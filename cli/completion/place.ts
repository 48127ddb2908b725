// The completion context: which words may follow at the cursor, and which kind of value to ask the server for.
import type { Argument, Command, Option } from "commander";

/** Kinds of names that the server knows. */
export const valueKinds = ["host", "instance", "site", "sku", "runbook", "user", "filter"] as const;
export type ValueKind = (typeof valueKinds)[number];

export interface Place {
  /** Subcommands, options, choices. */
  readonly words: readonly string[];
  readonly kind: ValueKind | null;
}

const isKind = (name: string): name is ValueKind => valueKinds.some((kind) => kind === name);
/** `--host`, `<host...>`: an option or argument is named after the kind of value it takes. */
const kindOf = (name: string): ValueKind | null => (isKind(name) ? name : null);

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

const optionsOf = (command: Command): readonly Option[] => [
  ...new Set([...command.options, ...rootOf(command).options]),
];

const takesValue = (option: Option): boolean => option.required || option.optional;

const ofValue = (taker: Pick<Option, "argChoices"> | Pick<Argument, "argChoices">, name: string): Place => ({
  words: taker.argChoices ?? [],
  kind: kindOf(name),
});

interface Walked {
  readonly command: Command;
  /** Number of positional values so far. */
  readonly values: number;
  /** The option that still needs its value. */
  readonly awaits: Option | null;
}

/** Walks the words: subcommands, options and their values. */
function walk(program: Command, given: readonly string[]): Walked {
  let walked: Walked = { command: program, values: 0, awaits: null };
  for (const word of given) {
    const { command, values, awaits } = walked;
    if (awaits !== null) walked = { ...walked, awaits: null };
    else if (word.startsWith("-")) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      walked = { ...walked, awaits: option !== undefined && takesValue(option) ? option : null };
    } else {
      const child = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      walked =
        child === undefined || values > 0
          ? { ...walked, values: values + 1 }
          : { command: child, values: 0, awaits: null };
    }
  }
  return walked;
}

/**
 * What may be completed at the cursor. Pure.
 * @param given the words before it, without the program's name
 * @param current the typed part of the word at the cursor
 */
export function placeOf(program: Command, given: readonly string[], current: string): Place {
  const { command, values, awaits } = walk(program, given);
  if (awaits !== null) return ofValue(awaits, awaits.attributeName());
  if (current.startsWith("-"))
    return { words: [...optionsOf(command).flatMap(({ long }) => long ?? []), "--help"], kind: null };
  const argument =
    command.registeredArguments[values] ?? command.registeredArguments.findLast((each) => each.variadic);
  const names =
    values === 0 ? command.commands.map((child) => child.name()).filter((name) => !name.startsWith("_")) : [];
  if (argument === undefined) return { words: names, kind: null };
  const { words, kind } = ofValue(argument, argument.name());
  return { words: [...names, ...words], kind };
}
