// Rows of agent images as pages and acts read them.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { AgentImage } from "@/server/db/generated/prisma/client";
import type { Reader } from "@/server/db/prisma";
import { imageKind } from "@/server/domain/cleaning/images/agent-image";
import type { Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { ImageLine, ImageStatus, ImageUse } from "@/server/contract/cleaning/images-answers";

const statuses: readonly ImageStatus[] = ["candidate", "current", "replaced", "withdrawn"];

/** Throws on a stage that this version does not know. */
export function rolloutOf({
  id,
  stage,
  hosts,
  percent,
}: Pick<AgentImage, "id" | "stage" | "hosts" | "percent">): Rollout {
  if (stage === "all") return { stage };
  if (stage === "few" && hosts !== null) return { stage, hosts };
  if (stage === "share" && percent !== null) return { stage, percent };
  throw new Error(`the agent image ${id} is at the unknown stage ${stage}`);
}

export const rolloutColumns = (rollout: Rollout) => ({
  stage: rollout.stage,
  hosts: rollout.stage === "few" ? rollout.hosts : null,
  percent: rollout.stage === "share" ? rollout.percent : null,
});

/** Throws on a status or kind that this version does not know. */
export function toImageLine(row: AgentImage, names: ReadonlyMap<string, string>): ImageLine {
  const status = statuses.find((known) => known === row.status);
  if (status === undefined) throw new Error(`the agent image ${row.id} has the unknown status ${row.status}`);
  const name = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return {
    id: row.id,
    version: row.version,
    url: row.url,
    sha256: row.sha256,
    signed: row.signed,
    kind: imageKind.parse(row.kind),
    status,
    rollout: rolloutOf(row),
    createdAt: row.createdAt,
    createdBy: name(row.createdBy),
    changedAt: row.changedAt,
    changedBy: name(row.changedBy),
  };
}

/** How images fared on their hosts, by image. */
export async function readImageUse(
  reader: Reader,
  images: readonly Pick<AgentImage, "id" | "version">[],
): Promise<ReadonlyMap<string, ImageUse>> {
  if (images.length === 0) return new Map();
  const rows = await queryRows(
    reader,
    sql<{ image_id: string; given: number; came_up: number; failed: number }>`
    SELECT b.image_id::text, count(DISTINCT b.host_id)::int AS given, (count(DISTINCT b.host_id) FILTER (WHERE b.consumed_at IS NOT NULL))::int AS came_up,
      (count(DISTINCT b.host_id) FILTER (WHERE b.boot_epoch = r.boot_epoch AND r.state LIKE 'Failed/%'))::int AS failed
    FROM boot_window b JOIN host_run r ON r.host_id = b.host_id WHERE b.image_id = ANY(${images.map(({ id }) => id)}::uuid[]) GROUP BY b.image_id`,
  );
  const found = new Map(rows.map((row) => [row.image_id, row]));
  return new Map(
    images.map(({ id, version }) => {
      const row = found.get(id);
      return [
        id,
        {
          given: row?.given ?? 0,
          cameUp: row?.came_up ?? 0,
          failed: row?.failed ?? 0,
          filter: `image:"${version}"`,
        },
      ];
    }),
  );
}

/** The brake on an image, or null. */
export async function brakeOnImage(reader: Reader, siteId: string, version: string): Promise<string | null> {
  return (
    (
      await reader.brake.findFirst({
        where: { siteId, dimension: "image", value: version, liftedAt: null, asks: { isEmpty: true } },
        select: { message: true },
      })
    )?.message ?? null
  );
}
