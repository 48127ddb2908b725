// Why a queued host waits, short enough for a line: the limit that it has reached, or what the brake is for.
import { formatGroup } from "@/server/domain/cleaning/queue/brake";
import type { Group } from "@/server/domain/cleaning/queue/brake";
import { isBrakeDimension } from "@/server/domain/cleaning/queue/brake";
import type { Reader } from "@/server/db/prisma";

/** Prefix of the controller's reason for a host that a brake holds back. */
const pausedText = "new starts are paused";

export interface BrakeInForce extends Group {
  readonly message: string;
}

export async function readBrakesInForce(reader: Reader, siteId: string): Promise<readonly BrakeInForce[]> {
  const rows = await reader.brake.findMany({
    where: { siteId, liftedAt: null, asks: { isEmpty: true } },
    select: { dimension: true, value: true, message: true },
  });
  return rows.flatMap(({ dimension, value, message }) =>
    isBrakeDimension(dimension) ? [{ dimension, value, message }] : [],
  );
}

/**
 * `limit` is admission's reason, or null. `hasPlace`: the host is in line. Otherwise the controller's reason counts, which contains the message of the brake
 * that it saw; a brake that was lifted since holds nothing back. Pure.
 */
export function reasonOf(
  limit: string | null,
  hasPlace: boolean,
  waitReason: string | null,
  brakes: readonly BrakeInForce[],
): { readonly reason: string; readonly braked: boolean } {
  if (hasPlace) return { reason: limit ?? "it is about to start", braked: false };
  const brake = brakes.find(({ message }) => waitReason?.includes(message) === true);
  if (brake !== undefined)
    return { reason: `new starts with ${formatGroup(brake)} are paused`, braked: true };
  return {
    reason:
      waitReason === null || waitReason.startsWith(pausedText) ? "it is about to be checked" : waitReason,
    braked: false,
  };
}
