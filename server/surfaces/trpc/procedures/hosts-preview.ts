// hosts.preview: who of a selection can do it, and who cannot and why.
import { previewHostAct } from "@/server/usecases/hosts/act-on-hosts";
import { hostActInput } from "@/server/surfaces/trpc/procedures/hosts-act";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const hostsPreview = reading.input(hostActInput).query(async ({ ctx, input }) => answer(await previewHostAct(ctx.backend, ctx.actor, input)));
