// host.history: reclamations, and states in pages.
import { z } from "zod";
import { getHistory } from "@/server/usecases/hosts/get-history";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostHistory = reading.input(z.strictObject({ hostId, before: z.string().max(20).optional() })).query(async ({ ctx, input }) => answer(await getHistory(ctx.backend, ctx.actor, input)));
