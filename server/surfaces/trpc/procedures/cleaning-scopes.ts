// cleaning.scopes: the sites, SKUs, hardware types and traits that the pages of cleaning choose from.
import { readScopes } from "@/server/usecases/cleaning/scopes";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningScopes = reading.query(async ({ ctx }) => answer(await readScopes(ctx.backend, ctx.actor)));
