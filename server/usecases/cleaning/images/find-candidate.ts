// Finds the candidate of an act, with a lock, and what its rules need.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { AgentImage } from "@/server/db/generated/prisma/client";
import type { RolloutFacts } from "@/server/domain/cleaning/images/image-rollout";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { brakeOnImage, readImageUse, rolloutOf } from "@/server/usecases/cleaning/images/image-rows";
import { refused } from "@/server/usecases/problem";

/** Locks the image against concurrent acts. Null if there is none. */
export async function findImage(
  { tx }: Pick<ActContext, "tx">,
  imageId: string,
): Promise<Target<AgentImage> | null> {
  await queryRows(tx, sql`SELECT id FROM agent_image WHERE id = ${imageId}::uuid FOR UPDATE`);
  const image = await tx.agentImage.findUnique({ where: { id: imageId } });
  return image === null ? null : { id: image.id, belongs: { tenantId: null }, value: image };
}

/** Why nothing more can be done with an image that is no longer a candidate; null if it is one. */
export const overRefusal = ({ version, status }: AgentImage) =>
  status === "candidate"
    ? null
    : refused("conflict", `The image ${version} is no longer a candidate: it is ${status}.`);

export async function rolloutFacts({ tx }: Pick<ActContext, "tx">, image: AgentImage): Promise<RolloutFacts> {
  const [use, braked] = [
    await readImageUse(tx, [image]),
    await brakeOnImage(tx, image.siteId, image.version),
  ];
  return { rollout: rolloutOf(image), braked: braked !== null, cameUp: use.get(image.id)?.cameUp ?? 0 };
}
