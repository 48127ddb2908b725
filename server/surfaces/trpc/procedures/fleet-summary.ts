// fleet.summary: the fleet page in one answer.
import { fleetSummary as summarize } from "@/server/usecases/fleet/fleet-summary";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const fleetSummary = reading.query(async ({ ctx }) => answer(await summarize(ctx.backend, ctx.actor)));
