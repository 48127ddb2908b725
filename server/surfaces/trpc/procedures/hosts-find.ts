// hosts.find: whom a name, an id or the beginning of one may mean.
import { z } from "zod";
import { findHosts } from "@/server/usecases/hosts/find-hosts";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const hostsFind = reading.input(z.strictObject({ text: z.string().min(1).max(128) })).query(async ({ ctx, input }) => answer(await findHosts(ctx.backend, ctx.actor, input)));
