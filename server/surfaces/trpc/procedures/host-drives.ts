// host.disposeDrive and host.withdrawDisposition: what became of a drive that is owed and not there.
import { disposeDrive, disposeDriveInput, withdrawDisposition, withdrawDispositionInput } from "@/server/usecases/hosts/dispose-drive";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const hostDisposeDrive = changing.input(disposeDriveInput).mutation(async ({ ctx, input }) => answer(await disposeDrive(ctx.backend, ctx.actor, ctx.request, input)));
export const hostWithdrawDisposition = changing.input(withdrawDispositionInput).mutation(async ({ ctx, input }) => answer(await withdrawDisposition(ctx.backend, ctx.actor, ctx.request, input)));
