// Withdraws a candidate: its hosts boot the current image again from their next boot on.
import { images } from "@/server/contract/cleaning/images";
import { acted, defineAct } from "@/server/usecases/define-act";
import { findImage, overRefusal } from "@/server/usecases/cleaning/images/find-candidate";

export const withdrawImage = defineAct({
  ...images.withdraw,
  names: (input) => ({ kind: "agent image", id: input.imageId }),
  find: (context, input) => findImage(context, input.imageId),
  run: async ({ tx, actor }, image, { reason }) => {
    const over = overRefusal(image);
    if (over !== null) return over;
    await tx.agentImage.update({
      where: { id: image.id },
      data: { status: "withdrawn", changedAt: new Date(), changedBy: actor.personId },
    });
    return acted({
      value: { id: image.id },
      targetId: image.id,
      tenantId: null,
      before: { version: image.version, status: "candidate" },
      after: { status: "withdrawn", reason },
    });
  },
});
