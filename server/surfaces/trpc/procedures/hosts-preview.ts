// hosts.preview: who of a selection can do it, and who cannot and why.
import { z } from "zod";
import { mostBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostIntents } from "@/server/domain/hosts/host-actions";
import { previewHostAct } from "@/server/usecases/hosts/preview-host-act";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostsPreview = reading
  .input(
    z.strictObject({
      target: z.union([z.strictObject({ hostIds: z.array(hostId).min(1).max(mostBulkHosts) }), z.strictObject({ filter: z.string().max(1000) })]),
      intent: z.enum(hostIntents),
    }),
  )
  .query(async ({ ctx, input }) => answer(await previewHostAct(ctx.backend, ctx.actor, input)));
