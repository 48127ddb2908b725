// Widens the rollout of a candidate: to more hosts, to a share of them, or to all.
import { widenRefusal } from "@/server/domain/cleaning/images/image-rollout";
import { images } from "@/server/contract/cleaning/images";
import { acted, defineAct } from "@/server/usecases/define-act";
import { findImage, overRefusal, rolloutFacts } from "@/server/usecases/cleaning/images/find-candidate";
import { rolloutColumns } from "@/server/usecases/cleaning/images/image-rows";
import { refused } from "@/server/usecases/problem";

export const widenImage = defineAct({
  ...images.widen,
  names: (input) => ({ kind: "agent image", id: input.imageId }),
  find: (context, input) => findImage(context, input.imageId),
  run: async ({ tx, actor }, image, { rollout: to }) => {
    const over = overRefusal(image);
    if (over !== null) return over;
    const refusal = widenRefusal(await rolloutFacts({ tx }, image), to);
    if (refusal !== null) return refused("notAllowedNow", refusal);
    await tx.agentImage.update({
      where: { id: image.id },
      data: { ...rolloutColumns(to), changedAt: new Date(), changedBy: actor.personId },
    });
    const { stage, hosts, percent } = image;
    return acted({
      value: { id: image.id },
      targetId: image.id,
      tenantId: null,
      before: { version: image.version, stage, hosts, percent },
      after: { ...rolloutColumns(to) },
    });
  },
});
