// Reclamations that a test of use cases finds.
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { World } from "@/server/usecases/testing/world";

/** The record of a release that has stopped. */
export const addStoppedRelease = (
  { backend }: World,
  hostId: string,
  stoppedCause?: string,
): Promise<{ readonly id: string; readonly number: bigint }> =>
  backend.database.reclamation.create({
    data: {
      hostId,
      hostSerial: "x",
      kind: "release",
      policyVersion: 1,
      policy: defaultPolicy(),
      stoppedAt: new Date(),
      ...(stoppedCause === undefined ? {} : { stoppedCause }),
    },
  });
