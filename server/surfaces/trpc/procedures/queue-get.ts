// queue.get: how many wait for cleaning, the limits, and the brakes.
import { getQueue } from "@/server/usecases/queue/get-queue";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const queueGet = reading.query(async ({ ctx }) => answer(await getQueue(ctx.backend, ctx.actor)));
