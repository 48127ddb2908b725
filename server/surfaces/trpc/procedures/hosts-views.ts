// hosts.views: the saved views with their counts.
import { hostViews } from "@/server/usecases/hosts/host-views";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const hostsViews = reading.query(async ({ ctx }) => answer(await hostViews(ctx.backend, ctx.actor)));
