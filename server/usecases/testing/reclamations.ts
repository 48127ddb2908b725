// Reclamations for tests of use cases.
import type { Prisma } from "@/server/db/generated/prisma/client";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { World } from "@/server/usecases/testing/world";

type Own = Partial<Prisma.ReclamationUncheckedCreateInput> & { readonly kind: string };

/** A record with the default policy, which nobody asked for. */
export const addReclamation = (
  { backend }: World,
  hostId: string,
  own: Own,
): Promise<{ readonly id: string; readonly number: bigint }> =>
  backend.database.reclamation.create({
    data: { hostId, hostSerial: "x", policyVersion: 1, policy: defaultPolicy(), ...own },
  });

/** The record of a stopped release. */
export const addStoppedRelease = (
  world: World,
  hostId: string,
  stoppedCause?: string,
): Promise<{ readonly id: string; readonly number: bigint }> =>
  addReclamation(world, hostId, {
    kind: "release",
    stoppedAt: new Date(),
    ...(stoppedCause === undefined ? {} : { stoppedCause }),
  });
