// reclamations.find: one by its number.
import { z } from "zod";
import { findReclamation } from "@/server/usecases/reclamations/list-reclamations";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const reclamationsFind = reading.input(z.strictObject({ number: z.string().min(1).max(24) })).query(async ({ ctx, input }) => answer(await findReclamation(ctx.backend, ctx.actor, input)));
