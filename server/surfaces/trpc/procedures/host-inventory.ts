// host.inventory: known and found.
import { z } from "zod";
import { getInventory } from "@/server/usecases/hosts/get-inventory";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostInventory = reading.input(z.strictObject({ hostId })).query(async ({ ctx, input }) => answer(await getInventory(ctx.backend, ctx.actor, input)));
