// Creates a candidate for a site's agent image, for the acts that add one (docs/cleaning.md#new-agent-images).
import { randomUUID } from "node:crypto";
import type { AgentImageFacts } from "@/server/domain/cleaning/images/agent-image";
import type { Transaction } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";

interface KnownImage {
  readonly version: string;
  readonly status: string;
}

export interface CandidateRefusal {
  readonly message: string;
  readonly field?: "version";
}

/** Why a site does not accept a candidate of this version; null if it does. Pure. */
export function candidateRefusal(images: readonly KnownImage[], version: string): CandidateRefusal | null {
  const candidate = images.find(({ status }) => status === "candidate");
  if (candidate !== undefined)
    return {
      message: `The site already has the candidate ${candidate.version}: make it current or withdraw it first.`,
    };
  return images.some((image) => image.version === version)
    ? {
        message: `The site has already used version ${version}. Give this image a new version, so that their failures can be told apart.`,
        field: "version",
      }
    : null;
}

/** Writes the candidate with its initial rollout size. Returns its id. The caller must hold the lock on the site's row. */
export async function insertCandidate(
  tx: Transaction,
  actor: Actor,
  siteId: string,
  image: AgentImageFacts,
  hosts: number,
): Promise<string> {
  const id = randomUUID();
  await tx.agentImage.create({
    data: {
      id,
      siteId,
      ...image,
      status: "candidate",
      stage: "few",
      hosts,
      createdBy: actor.personId,
      changedBy: actor.personId,
    },
  });
  return id;
}
