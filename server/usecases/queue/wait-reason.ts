// Why a host in the queue waits, short enough for a line: the limit that it meets, or what the brake is about.
import { groupWords } from "@/server/domain/cleaning/queue/brake";
import type { Group } from "@/server/domain/cleaning/queue/brake";
import { isBrakeDimension } from "@/server/domain/cleaning/queue/brake";
import type { Reader } from "@/server/db/prisma";

/** With which the controller begins the reason of a host that a brake holds back. */
const pausedWords = "new starts are paused";

export interface BrakeInForce extends Group {
  readonly message: string;
}

export async function readBrakesInForce(reader: Reader, siteId: string): Promise<readonly BrakeInForce[]> {
  const rows = await reader.brake.findMany({
    where: { siteId, liftedAt: null },
    select: { dimension: true, value: true, message: true },
  });
  return rows.flatMap(({ dimension, value, message }) =>
    isBrakeDimension(dimension) ? [{ dimension, value, message }] : [],
  );
}

/**
 * `limit`: what admission says, null: nothing. `hasPlace`: it is in line. Otherwise the controller's own words count, which hold the message of the
 * brake that it saw; a brake that was lifted since holds nobody back. Pure.
 */
export function reasonOf(
  limit: string | null,
  hasPlace: boolean,
  waitReason: string | null,
  brakes: readonly BrakeInForce[],
): { readonly reason: string; readonly braked: boolean } {
  if (hasPlace) return { reason: limit ?? "it is about to start", braked: false };
  const brake = brakes.find(({ message }) => waitReason?.includes(message) === true);
  if (brake !== undefined) return { reason: `new starts with ${groupWords(brake)} are paused`, braked: true };
  return {
    reason:
      waitReason === null || waitReason.startsWith(pausedWords) ? "it is about to be checked" : waitReason,
    braked: false,
  };
}
