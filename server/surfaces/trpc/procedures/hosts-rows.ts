// hosts.rows: fresh rows of hosts in view, for changing cells in place.
import { z } from "zod";
import { readHostRows } from "@/server/usecases/hosts/list-hosts";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostsRows = reading
  .input(z.strictObject({ hostIds: z.array(hostId).max(500), filter: z.string().max(1000).default("") }))
  .query(async ({ ctx, input }) => answer(await readHostRows(ctx.backend, ctx.actor, input)));
