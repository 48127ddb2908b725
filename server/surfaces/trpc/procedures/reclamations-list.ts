// reclamations.list: of one host or of all, newest first.
import { z } from "zod";
import { listReclamations } from "@/server/usecases/reclamations/list-reclamations";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const reclamationsList = reading
  .input(
    z.strictObject({
      host: z.string().min(1).max(128).optional(),
      status: z.enum(["open", "ended", "all"]).default("all"),
      cursor: z.string().max(1000).nullish(),
      limit: z.int().min(1).max(200).default(50),
    }),
  )
  .query(async ({ ctx, input }) => answer(await listReclamations(ctx.backend, ctx.actor, { ...input, cursor: input.cursor ?? null })));
