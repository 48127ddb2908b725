// A command as a row over the contract: it names its operation, and says only what the contract does not: its name, arguments, columns, and what it
// asks before it acts (docs/adr/0138-commands-are-rows.md). Help, `schema` and completion read the rows, and so do the tests of roles and coverage.
import type { Command } from "commander";
import { z } from "zod";
import { callLoosely, operationOf } from "@/cli/call";
import type { Answer, Input, OperationName } from "@/cli/call";
import { withHost } from "@/cli/client";
import { addValues, count, flag, readValues, usually } from "@/cli/define/values";
import type { Given, Value, Values } from "@/cli/define/values";
import { csvText } from "@/cli/output/csv";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

/** One command, as program.ts adds it. */
export interface Row {
  /** Such as `tickets list`. */
  readonly path: string;
  readonly title: string;
  /** The operations that it performs; those that only find what is named are not among them. */
  readonly uses: readonly OperationName[];
  /** What `-o json` prints; null if it prints no data. */
  readonly shape: z.ZodType | null;
  /** Adds arguments, options, and what it does. */
  readonly build: (command: Command, surroundings: Surroundings) => void;
}

type None = Record<never, Value<unknown>>;

interface Named<A extends Values, O extends Values> {
  readonly args?: A;
  readonly options?: O;
  /** Command lines that work, without `reclaim`: the end of its help. */
  readonly examples?: readonly string[];
  /** A paragraph after its options. */
  readonly note?: string;
  readonly alias?: string;
}

interface Special<A extends Values, O extends Values> extends Named<A, O> {
  readonly title: string;
  readonly uses?: readonly OperationName[];
  readonly shape?: z.ZodType | null;
  /** False: it makes no request, or none as anybody. */
  readonly signedIn?: false | ((options: Readonly<Record<string, unknown>>) => boolean);
  readonly run: (shell: Shell, given: Given<A> & Given<O>) => Promise<void> | void;
}

const ofHost = z.object({ host: z.object({ name: z.string() }) });

/** A command that is more than one operation. */
export function command<A extends Values = None, O extends Values = None>(
  path: string,
  { title, uses = [], shape = null, signedIn, args, options, examples = [], note, alias, run }: Special<A, O>,
): Row {
  const build = (made: Command, surroundings: Surroundings): void => {
    addValues(made, args ?? {}, options ?? {});
    if (alias !== undefined) made.alias(alias);
    if (note !== undefined) made.addHelpText("after", `\n${note}\n`);
    if (examples.length > 0)
      made.addHelpText("after", `\nExamples:\n${examples.map((line) => `  reclaim ${line}\n`).join("")}`);
    made.action(async () => {
      const shell = await openShell(made, surroundings, {
        signedIn: typeof signedIn === "function" ? signedIn(made.opts()) : signedIn !== false,
      });
      const given = await readValues(made, args ?? {}, options ?? {}, shell);
      try {
        // commander does not know the types of what it has read: they stand beside each reader.
        await run(shell, given as Given<A> & Given<O>);
      } catch (error) {
        const about = ofHost.safeParse(given).data?.host.name;
        throw about === undefined ? error : withHost(error, about);
      }
    });
  };
  return { path, title, uses, shape, build };
}

type InputOf<Of extends OperationName, G> = (given: G, shell: Shell) => Input<Of> | Promise<Input<Of>>;
/** What was given is the input itself, or is made into it. */
type Asks<Of extends OperationName, G> = [G] extends [Input<Of>]
  ? { readonly input?: InputOf<Of, G> }
  : [Input<Of>] extends [undefined | void]
    ? { readonly input?: undefined }
    : { readonly input: InputOf<Of, G> };

interface Performs<Of extends OperationName, A extends Values, O extends Values> extends Named<A, O> {
  readonly of: Of;
  /** In place of the operation's. */
  readonly title?: string;
}

type Listed<Of extends OperationName, Member> = [Member] extends [never]
  ? Answer<Of>
  : Member extends keyof Answer<Of>
    ? Answer<Of>[Member]
    : never;
type One<Rows> = Rows extends readonly (infer Each)[] ? Each : never;

/** What a list has read. */
interface Read<First, Each, G> {
  readonly rows: readonly Each[];
  readonly first: First;
  readonly given: G;
  /** The server has more rows than were asked for. */
  readonly more: boolean;
}

interface Lists<Of extends OperationName, A extends Values, O extends Values, Each> {
  readonly columns: readonly Column<Each>[];
  readonly none: string | ((read: Read<Answer<Of>, Each, Given<A> & Given<O>>, printer: Printer) => string);
  /** Rows per request, for an operation that answers page by page. */
  readonly perPage?: number;
  /** Has `--limit`: what it is if it is not given; null: all. */
  readonly limit?: number | null;
  /** Has `--csv`. */
  readonly csv?: true;
  /** Runs before the list is printed. */
  readonly before?: (read: Read<Answer<Of>, Each, Given<A> & Given<O>>, shell: Shell) => Promise<void>;
  /** Said after the list. */
  readonly then?: (read: Read<Answer<Of>, Each, Given<A> & Given<O>>, printer: Printer) => readonly string[];
}

interface ListSpec<Of extends OperationName, A extends Values, O extends Values, Member>
  extends Performs<Of, A, O>, Lists<Of, A, O, One<Listed<Of, Member>>> {
  /** The answer's member with the rows; without it, the answer is the rows. */
  readonly rows?: Member;
}

export const newest = ({ more, rows }: { readonly more: boolean; readonly rows: readonly unknown[] }) =>
  more ? [`Only the newest ${rows.length} are shown; --limit shows more.`] : [];

/** A row as it is carried out: the functions below have checked its types. */
interface Loose extends Named<Values, Values> {
  readonly of: OperationName;
  readonly title?: string;
  readonly input?: InputOf<OperationName, unknown>;
}

const inputOf = async ({ of, input }: Loose, given: Readonly<Record<string, unknown>>, shell: Shell) =>
  operationOf(of).input.safeParse(undefined).success
    ? undefined
    : input === undefined
      ? given
      : await input(given, shell);

/** What the row says in every kind of command. */
const common = ({ of, title, args, examples, note, alias }: Loose, usualAlias?: string) => ({
  title: title ?? operationOf(of).title,
  uses: [of],
  args: args ?? {},
  ...(examples === undefined ? {} : { examples }),
  ...(note === undefined ? {} : { note }),
  ...(alias === undefined ? (usualAlias === undefined ? {} : { alias: usualAlias }) : { alias }),
});

const memberOf = (answer: unknown, name: string): unknown =>
  typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;

interface LooseList extends Loose {
  readonly rows?: string | ((answer: unknown, given: unknown, shell: Shell) => unknown);
  readonly shape?: z.ZodType;
  readonly columns: readonly Column<unknown>[];
  readonly none: string | ((read: Read<unknown, unknown, unknown>, printer: Printer) => string);
  readonly perPage?: number;
  readonly limit?: number | null;
  readonly csv?: true;
  readonly before?: (read: Read<unknown, unknown, unknown>, shell: Shell) => Promise<void>;
  readonly then?: (read: Read<unknown, unknown, unknown>, printer: Printer) => readonly string[];
}

/** Reads page by page, to the limit or to the end, so that a part is never taken for the whole. */
async function readRows(
  shell: Shell,
  { of, rows: member, perPage }: LooseList,
  given: unknown,
  input: unknown,
  limit: number,
): Promise<Read<unknown, unknown, unknown>> {
  const rows: unknown[] = [];
  let first: unknown;
  let cursor: unknown = null;
  for (;;) {
    const page = perPage === undefined ? null : { cursor, limit: Math.min(perPage, limit - rows.length) };
    const answer = await callLoosely(
      shell.client,
      of,
      page === null ? input : Object.assign({}, input, page),
    );
    first ??= answer;
    const listed =
      member === undefined
        ? answer
        : typeof member === "string"
          ? memberOf(answer, member)
          : await member(answer, given, shell);
    if (Array.isArray(listed)) rows.push(...listed);
    cursor = page === null ? null : (memberOf(answer, "nextCursor") ?? null);
    if (cursor === null || rows.length >= limit) return { rows, first, given, more: cursor !== null };
  }
}

/** The schema of a record's member. */
function memberShape(shape: z.core.$ZodType, member: string): z.ZodType {
  if (shape instanceof z.ZodReadonly) return memberShape(shape.unwrap(), member);
  const found: unknown = shape instanceof z.ZodObject ? shape.shape[member] : undefined;
  if (found instanceof z.ZodType) return found;
  throw new Error(`the answer has no ${member}`);
}

function looseList(path: string, spec: LooseList): Row {
  const { of, rows: member, shape, columns, none, limit: usual, csv, before, then, options } = spec;
  const limited: Values =
    usual === undefined ? {} : { limit: usual === null ? count : usually(count, usual) };
  const { output } = operationOf(of);
  return command<Values, Values>(path, {
    ...common(spec, path.endsWith(" list") ? "ls" : undefined),
    shape: shape ?? (typeof member === "string" ? memberShape(output, member) : output),
    options: { ...options, ...limited, ...(csv === true ? { csv: flag("as CSV, with all columns") } : {}) },
    run: async (shell, { limit, csv: asCsv, ...rest }) => {
      const { printer } = shell;
      // A limit that the row has as an option of its own is a part of the input.
      const given = usual === undefined ? { ...rest, limit } : rest;
      const most = usual !== undefined && typeof limit === "number" ? limit : Infinity;
      const read = await readRows(shell, spec, given, await inputOf(spec, given, shell), most);
      await before?.(read, shell);
      if (csv === true && asCsv === true) printer.text(csvText(read.rows, columns));
      else printer.list(read.rows, columns, typeof none === "string" ? none : none(read, printer));
      for (const line of then?.(read, printer) ?? []) printer.say(line);
    },
  });
}

/** Prints the rows of an answer, as a table, as data or as CSV. */
export const list = <
  Of extends OperationName,
  A extends Values = None,
  O extends Values = None,
  Member extends keyof Answer<Of> & string = never,
>(
  path: string,
  spec: ListSpec<Of, A, O, Member> & Asks<Of, Given<A> & Given<O>>,
): Row => looseList(path, spec as unknown as LooseList);

interface DerivedSpec<Of extends OperationName, A extends Values, O extends Values, Each>
  extends Performs<Of, A, O>, Lists<Of, A, O, Each> {
  readonly rows: (
    answer: Answer<Of>,
    given: Given<A> & Given<O>,
    shell: Shell,
  ) => readonly Each[] | Promise<readonly Each[]>;
  readonly shape: z.ZodType;
}

/** Prints rows that are made of an answer. */
export const derived = <Of extends OperationName, Each, A extends Values = None, O extends Values = None>(
  path: string,
  spec: DerivedSpec<Of, A, O, Each> & Asks<Of, Given<A> & Given<O>>,
): Row => looseList(path, spec as unknown as LooseList);

interface ShowSpec<Of extends OperationName, A extends Values, O extends Values> extends Performs<Of, A, O> {
  readonly parts: (answer: Answer<Of>, printer: Printer, given: Given<A> & Given<O>) => readonly Part[];
  /** Said after it. */
  readonly then?: (answer: Answer<Of>) => readonly string[];
}

interface LooseShow extends Loose {
  readonly parts: (answer: unknown, printer: Printer, given: unknown) => readonly Part[];
  readonly then?: (answer: unknown) => readonly string[];
}

function looseShow(path: string, spec: LooseShow): Row {
  const { of, parts, then, options } = spec;
  return command<Values, Values>(path, {
    ...common(spec),
    options: options ?? {},
    shape: operationOf(of).output,
    run: async (shell, given) => {
      const answer = await callLoosely(shell.client, of, await inputOf(spec, given, shell));
      shell.printer.show(answer, parts(answer, shell.printer, given));
      for (const line of then?.(answer) ?? []) shell.printer.say(line);
    },
  });
}

/** Prints one thing, in sections. */
export const show = <Of extends OperationName, A extends Values = None, O extends Values = None>(
  path: string,
  spec: ShowSpec<Of, A, O> & Asks<Of, Given<A> & Given<O>>,
): Row => looseShow(path, spec as unknown as LooseShow);

/** What is said before an act, and the question. Null: it does not ask. */
type Question = readonly [consequences: readonly string[], question: string] | null;

interface ActSpec<Of extends OperationName, A extends Values, O extends Values> extends Performs<Of, A, O> {
  readonly asks?: (given: Given<A> & Given<O>, shell: Shell) => Question | Promise<Question>;
  /** What is said when it is done. */
  readonly said?: (given: Given<A> & Given<O>, answer: Answer<Of>) => string | readonly string[];
  /** What is shown once and is the answer as data: the secret, and what is said of it. */
  readonly secret?: (
    answer: Answer<Of>,
    given: Given<A> & Given<O>,
  ) => readonly [secret: string, words: string];
}

interface LooseAct extends Loose {
  readonly asks?: (given: unknown, shell: Shell) => Question | Promise<Question>;
  readonly said?: (given: unknown, answer: unknown) => string | readonly string[];
  readonly secret?: (answer: unknown, given: unknown) => readonly [secret: string, words: string];
}

function looseAct(path: string, spec: LooseAct): Row {
  const { of, options, asks, said, secret } = spec;
  return command<Values, Values>(path, {
    ...common(spec),
    options: options ?? {},
    shape: secret === undefined ? null : operationOf(of).output,
    run: async (shell, given) => {
      const { client, printer } = shell;
      const input = await inputOf(spec, given, shell);
      const question = (await asks?.(given, shell)) ?? null;
      if (question !== null) await confirm(shell, ...question);
      const answer = await callLoosely(client, of, input);
      if (secret !== undefined) return printer.secret(answer, ...secret(answer, given));
      for (const line of [said?.(given, answer) ?? []].flat()) printer.say(line);
    },
  });
}

/** Does one thing, and says so. */
export const act = <Of extends OperationName, A extends Values = None, O extends Values = None>(
  path: string,
  spec: ActSpec<Of, A, O> & Asks<Of, Given<A> & Given<O>>,
): Row => looseAct(path, spec as unknown as LooseAct);
