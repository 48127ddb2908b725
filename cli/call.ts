// Calls an operation by its name in the contract, such as `tickets.list`.
import { getUntypedClient } from "@trpc/client";
import type { z } from "zod";
import type { Client } from "@/cli/client";
import { contract } from "@/server/contract/contract";
import type { Operation } from "@/server/contract/define";

type Contract = typeof contract;
/** Each operation of the contract: its noun, a point, its name. */
export type OperationName = {
  [Noun in keyof Contract]: `${Noun}.${keyof Contract[Noun] & string}`;
}[keyof Contract];
type At<Of extends OperationName> = Of extends `${infer Noun}.${infer Name}`
  ? Noun extends keyof Contract
    ? Name extends keyof Contract[Noun]
      ? Contract[Noun][Name]
      : never
    : never
  : never;
export type Input<Of extends OperationName> =
  At<Of> extends { readonly input: z.ZodType<unknown, infer Given> } ? Given : never;
export type Answer<Of extends OperationName> =
  At<Of> extends { readonly output: z.ZodType<infer Told> } ? Told : never;

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries<Readonly<Record<string, Operation>>>(contract).flatMap(([noun, entries]) =>
    Object.entries(entries).map(([name, operation]) => [`${noun}.${name}`, operation] as const),
  ),
);

export function operationOf(name: OperationName): Operation {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`the contract has no ${name}`);
  return operation;
}

/** The members that were given. */
export const present = <Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };

/** Leaves out what was not given: the contract tells a missing member from an empty one. */
const withoutUndefined = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? present(input) : input;

/** The answer is not checked: the server's procedures are made from the same contract. */
export function callLoosely(client: Client, name: OperationName, input: unknown): Promise<unknown> {
  const untyped = getUntypedClient(client);
  const given = withoutUndefined(input);
  return operationOf(name).kind === "read" ? untyped.query(name, given) : untyped.mutation(name, given);
}
