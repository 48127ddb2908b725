// search.all: what the palette finds.
import { z } from "zod";
import { searchAll as search } from "@/server/usecases/search/search-all";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const searchAll = reading.input(z.strictObject({ text: z.string().max(200) })).query(async ({ ctx, input }) => answer(await search(ctx.backend, ctx.actor, input)));
