// images.add, images.widen, images.makeCurrent, images.withdraw: the roll-out of agent images.
import { z } from "zod";
import { addImage } from "@/server/usecases/images/add-image";
import { imageId, newImage, rollout } from "@/server/usecases/images/image-input";
import { makeImageCurrent } from "@/server/usecases/images/make-image-current";
import { widenImage } from "@/server/usecases/images/widen-image";
import { withdrawImage } from "@/server/usecases/images/withdraw-image";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const imagesAdd = changing.input(newImage).mutation(async ({ ctx, input }) => answer(await addImage(ctx.backend, ctx.actor, ctx.request, input)));

export const imagesWiden = changing.input(z.strictObject({ imageId, rollout })).mutation(async ({ ctx, input }) => answer(await widenImage(ctx.backend, ctx.actor, ctx.request, input)));

export const imagesMakeCurrent = changing.input(z.strictObject({ imageId })).mutation(async ({ ctx, input }) => answer(await makeImageCurrent(ctx.backend, ctx.actor, ctx.request, input)));

export const imagesWithdraw = changing.input(z.strictObject({ imageId, reason: z.string().max(500) })).mutation(async ({ ctx, input }) => answer(await withdrawImage(ctx.backend, ctx.actor, ctx.request, input)));
