// The tRPC procedures, made from the contract, which says everything about them.
import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import { ZodError, type z } from "zod";
import { holdsUnstorableText, unstorableText } from "@/server/domain/storable-text";
import { formatIssue } from "@/server/domain/schema-text";
import { contract } from "@/server/contract/contract";
import type { Contract, Operation, Read } from "@/server/contract/define";
import { handlers } from "@/server/surfaces/trpc/handlers";
import { answered, changing, reading, router } from "@/server/surfaces/trpc/trpc";

interface Shape<Of extends Operation> {
  input: z.input<Of["input"]>;
  output: z.output<Of["output"]>;
  meta: object;
}

type Procedures<Of extends Contract> = {
  [Noun in keyof Of]: {
    [Name in keyof Of[Noun]]: Of[Noun][Name] extends Read
      ? TRPCQueryProcedure<Shape<Of[Noun][Name]>>
      : TRPCMutationProcedure<Shape<Of[Noun][Name]>>;
  };
};

/** Describes invalid input in words that people can read. */
const inputOf =
  ({ input }: Operation) =>
  (value: unknown): unknown => {
    // safety: text: NUL in an input of a procedure
    if (holdsUnstorableText(value))
      throw new ZodError([{ code: "custom", message: unstorableText, path: [], input: undefined }]);
    return input.parse(value, { error: formatIssue });
  };

function procedureOf(noun: string, name: string, operation: Operation) {
  const handler: unknown = Reflect.get(Reflect.get(handlers, noun), name);
  if (typeof handler !== "function")
    throw new Error(`the contract has ${noun}.${name}, and no use case does it`);
  if (operation.kind === "read") {
    return reading
      .input(inputOf(operation))
      .query(async ({ ctx, input }) =>
        answered(ctx, operation, await handler(ctx.backend, ctx.actor, input)),
      );
  }
  return changing
    .input(inputOf(operation))
    .mutation(async ({ ctx, input }) =>
      answered(ctx, operation, await handler(ctx.backend, ctx.actor, ctx.request, input)),
    );
}

function nounOf(noun: string, operations: Readonly<Record<string, Operation>>) {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, procedureOf(noun, name, operation)]),
  );
}

const procedures = Object.fromEntries(
  Object.entries(contract).map(([noun, operations]) => [noun, nounOf(noun, operations)]),
);

// Object.entries loses which name has which type. `Handlers` in handlers.ts has checked each one against the contract.
export const appRouter = router(procedures as unknown as Procedures<typeof contract>);
export type AppRouter = typeof appRouter;
