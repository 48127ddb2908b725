// images.list: the agent images of every site.
import { listImages } from "@/server/usecases/images/list-images";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const imagesList = reading.query(async ({ ctx }) => answer(await listImages(ctx.backend, ctx.actor, { configuredUrl: ctx.backend.config.bootImageUrl })));
