// Makes a candidate that was rolled out to all hosts the site's current image; the previous one is kept as replaced.
import { currentRefusal } from "@/server/domain/cleaning/images/image-rollout";
import { images } from "@/server/contract/cleaning/images";
import { acted, defineAct } from "@/server/usecases/define-act";
import { findImage, overRefusal, rolloutFacts } from "@/server/usecases/cleaning/images/find-candidate";
import { refused } from "@/server/usecases/problem";

export const makeImageCurrent = defineAct({
  ...images.makeCurrent,
  names: (input) => ({ kind: "agent image", id: input.imageId }),
  find: (context, input) => findImage(context, input.imageId),
  run: async ({ tx, actor }, image) => {
    const over = overRefusal(image);
    if (over !== null) return over;
    const refusal = currentRefusal(await rolloutFacts({ tx }, image));
    if (refusal !== null) return refused("notAllowedNow", refusal);
    const change = { changedAt: new Date(), changedBy: actor.personId };
    const before = await tx.agentImage.findFirst({ where: { siteId: image.siteId, status: "current" } });
    if (before !== null)
      await tx.agentImage.update({ where: { id: before.id }, data: { ...change, status: "replaced" } });
    await tx.agentImage.update({ where: { id: image.id }, data: { ...change, status: "current" } });
    return acted({
      value: { id: image.id },
      targetId: image.id,
      tenantId: null,
      before: { current: before?.version ?? null },
      after: { current: image.version },
    });
  },
});
