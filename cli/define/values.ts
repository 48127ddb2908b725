// Arguments and options of commands: how help shows a value, how its text is read, and what it finds on the server.
import { Argument, Option } from "commander";
import type { Command } from "commander";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findInstance, findSite, findUser } from "@/cli/find";
import { readCount, readMoment, readSince } from "@/cli/options";
import type { Shell } from "@/cli/shell";

/** A value of a command line, of type T once it is read and found. */
export interface Value<T> {
  /** As help shows it, such as `<host>`; empty for a flag. */
  readonly shown: string;
  readonly text: string;
  readonly choices?: readonly string[];
  /** Reads the text; `before` is what a repeated option has so far. */
  read?(text: string, before: unknown): unknown;
  readonly fallback?: unknown;
  readonly needed?: true;
  /** The option's letter. */
  readonly short?: string;
  /** The thing that the text names. */
  find?(shell: Shell, read: unknown): Promise<unknown>;
  /** `find` also runs if nothing is given. */
  readonly finds?: "always";
  /** The option as commander writes it, if it is not named as the value is. */
  readonly flags?: string;
  /** Never set: carries the type. */
  readonly type?: { readonly is: T };
}

export type Values = Readonly<Record<string, Value<unknown>>>;
type TypeOf<V> = V extends { readonly type?: { readonly is: infer T } } ? T : never;
export type Given<V extends Values> = { readonly [Name in keyof V]: TypeOf<V[Name]> };

type Argued<Shown extends string> = Shown extends `${string}...${string}`
  ? string[]
  : Shown extends `[${string}`
    ? string | undefined
    : string;

/** An argument: `<needed>`, `[optional]`, `<several...>`. */
export const arg = <Shown extends `<${string}>` | `[${string}]`>(
  shown: Shown,
  text = "",
): Value<Argued<Shown>> => ({ shown, text });

export const opt = (shown: string, text: string): Value<string | undefined> => ({ shown, text });
export const flag = (text: string): Value<true | undefined> => ({ shown: "", text });
/** On unless `--no-…` is given. */
export const unless = (flags: `--no-${string}`, text: string): Value<boolean> => ({ shown: "", text, flags });
export const choice = <const Choice extends string>(
  shown: string,
  text: string,
  choices: readonly Choice[],
): Value<Choice | undefined> => ({ shown, text, choices });
/** An argument that is one of these, with the error's own words. */
export const oneOf = <Choice extends string>(
  shown: `<${string}>`,
  all: readonly Choice[],
  wrong: string,
): Value<Choice> => ({
  shown,
  text: all.join(", "),
  read: (text) => {
    if (!all.some((each) => each === text)) throw new CommandError("usage", wrong);
    return text;
  },
});
/** Several; shown as `<kinds...>`. */
export const choices = <const Choice extends string>(
  shown: `<${string}...>`,
  text: string,
  all: readonly Choice[],
): Value<Choice[] | undefined> => ({ shown, text, choices: all });
export const parsed = <T>(
  shown: string,
  text: string,
  read: (text: string, before: T | undefined) => T,
): Value<T | undefined> => ({ shown, text, read });

export const needed = <T>({ type: _, ...value }: Value<T>): Value<Exclude<T, undefined>> => ({
  ...value,
  needed: true,
});
export const usually = <T>(
  { type: _, ...value }: Value<T>,
  fallback: NoInfer<Exclude<T, undefined>>,
): Value<Exclude<T, undefined>> => ({ ...value, fallback });
/** A value that is looked up; undefined if it is not given. */
export const found = <Read, T>(
  { type: _, ...value }: Value<Read>,
  find: (shell: Shell, read: Exclude<Read, undefined>) => Promise<T>,
): Value<T | Extract<Read, undefined>> => ({ ...value, find });

export const hostText = "name, id, or the start of either";
const byHost = ({ client }: Shell, text: string) => findHost(client, text);
export const host = found(arg("<host>", hostText), byHost);
export const hostOption = (text: string) => found(opt("<host>", text), byHost);
export const instance = found(arg("<instance>", hostText), ({ client }, text) => findInstance(client, text));
export const user = found(arg("<user>", "email or name"), ({ client }, text) => findUser(client, text));
/** The site that is named; the only one if none is. */
export const siteOr = (
  text = "which one, if there are several",
): Value<Awaited<ReturnType<typeof findSite>>> => ({
  shown: "<site>",
  text,
  finds: "always",
  find: ({ client }, name) => findSite(client, typeof name === "string" ? name : undefined),
});
/** The same as an argument. */
export const siteArg = { ...siteOr(), shown: "[site]" };
export const reason = needed(opt("<text>", "why; kept in the audit log"));
export const count = parsed("<count>", "maximum number", readCount);
export const moment = (text: string) => parsed("<time>", text, readMoment);
export const since = (text: string) => parsed("<time>", text, readSince);

const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

type Made = Argument | Option;

function complete<Kind extends Made>(made: Kind, { choices, read, fallback }: Value<unknown>): Kind {
  if (read !== undefined) made.argParser((text, before: unknown) => read(text, before));
  if (choices !== undefined) made.choices(choices);
  if (fallback !== undefined) made.default(fallback);
  return made;
}

/** Adds the values to a command, in their order. */
export function addValues(command: Command, args: Values, options: Values): void {
  for (const value of Object.values(args))
    command.addArgument(complete(new Argument(value.shown, value.text), value));
  for (const [name, value] of Object.entries(options)) {
    const { shown, text, short, flags = `${flagOf(name)} ${shown}`.trim() } = value;
    const made = complete(new Option(short === undefined ? flags : `-${short}, ${flags}`, text), value);
    if (value.needed === true) made.makeOptionMandatory();
    command.addOption(made);
  }
}

/** What was given, by name. */
export async function readValues(
  command: Command,
  args: Values,
  options: Values,
  shell: Shell,
): Promise<Readonly<Record<string, unknown>>> {
  const texts: readonly unknown[] = command.processedArgs;
  const chosen: Readonly<Record<string, unknown>> = command.opts();
  const all = [
    ...Object.entries(args).map(([name, value], index) => [name, value, texts[index]] as const),
    ...Object.entries(options).map(([name, value]) => [name, value, chosen[name]] as const),
  ];
  const given: Record<string, unknown> = {};
  for (const [name, { find, finds }, read] of all)
    given[name] =
      find !== undefined && (read !== undefined || finds === "always") ? await find(shell, read) : read;
  return given;
}
