// The candidate that an act is about, locked, with what its rules need.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { AgentImage } from "@/server/db/generated/prisma/client";
import type { RolloutFacts } from "@/server/domain/cleaning/image-rollout";
import type { ActContext, Found } from "@/server/usecases/define-act";
import { brakeOnImage, readImageUse, rolloutOf } from "@/server/usecases/images/image-rows";
import { refused } from "@/server/usecases/problem";

/** Locks the image, so that no two people move it at a time. Null: there is none. */
export async function findImage(
  { tx }: Pick<ActContext, "tx">,
  imageId: string,
): Promise<Found<AgentImage> | null> {
  await queryRows(tx, sql`SELECT id FROM agent_image WHERE id = ${imageId}::uuid FOR UPDATE`);
  const image = await tx.agentImage.findUnique({ where: { id: imageId } });
  return image === null ? null : { id: image.id, belongs: { tenantId: null }, value: image };
}

/** Why nothing more can be done with an image that is no candidate any more; null: it is one. */
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
