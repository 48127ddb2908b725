// cleaning.removeOverride: the next wider scope, or the default, counts again.
import { z } from "zod";
import { overrideName } from "@/server/usecases/cleaning/override-input";
import { removeOverride } from "@/server/usecases/cleaning/remove-override";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningRemoveOverride = changing.input(z.strictObject(overrideName)).mutation(async ({ ctx, input }) => answer(await removeOverride(ctx.backend, ctx.actor, ctx.request, input)));
