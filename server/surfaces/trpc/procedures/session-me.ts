// session.me: who looks, and what they may open.
import packageJson from "@/package.json";
import { getMe } from "@/server/usecases/session/get-me";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const sessionMe = reading.query(async ({ ctx }) => answer(await getMe(ctx.backend, ctx.actor, packageJson.version)));
