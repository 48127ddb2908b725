// host.get: the head of a host's page.
import { z } from "zod";
import { getHost } from "@/server/usecases/hosts/get-host";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const hostGet = reading.input(z.strictObject({ host: z.string().min(1).max(128) })).query(async ({ ctx, input }) => answer(await getHost(ctx.backend, ctx.actor, input)));
