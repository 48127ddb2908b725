// Shared by the requests that change a BMC: what they see, and how they are answered.
import { fault, type BmcAnswer } from "@/server/simulator/bmc/answer";
import type { Places } from "@/server/simulator/bmc/platform/places";
import { type Platform } from "@/server/simulator/bmc/platform/platform";

export interface Around {
  readonly places: Places;
  readonly platform: Platform;
  /** The resource in its current state; null if there is none. */
  readonly read: (path: string) => string | null;
  readonly loseSessions: () => void;
}

export const emptied: BmcAnswer = { status: 204 };

export const under = (path: string, collection: string | null): boolean =>
  collection !== null &&
  path.startsWith(`${collection}/`) &&
  !path.slice(collection.length + 1).includes("/");

/** 202 with the new task. */
export function accepted(
  around: Around,
  name: string,
  hardwareMs: number,
  effect: Parameters<Platform["jobs"]["order"]>[3],
  waits = false,
): BmcAnswer {
  const { platform, places } = around;
  const id = jobId(around);
  platform.jobs.order(id, name, hardwareMs, effect, waits);
  return { status: 202, headers: { location: `${places.tasks ?? ""}/${id}` } };
}

export const jobId = ({ platform, places }: Around): string =>
  places.jobs === null ? String(platform.number()) : `JID_${String(platform.number()).padStart(12, "0")}`;

export const missing = (path: string): BmcAnswer =>
  fault(404, "Base.1.8.ResourceMissingAtURI", `The resource at the URI ${path} was not found.`);

export function gone(path: string, { read, platform }: Around, remove: () => void): BmcAnswer {
  if (read(path) === null) return missing(path);
  remove();
  platform.changed();
  return emptied;
}
