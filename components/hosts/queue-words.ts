// Where a host stands in the queue, in words.
import type { QueuePage } from "@/server/surfaces/trpc/types";

interface QueuePlaceWords {
  readonly words: string;
  /** A brake keeps it from having a place. */
  readonly braked: boolean;
}

const number = (value: number) => value.toLocaleString("en");

/** Null for a host that is not queued any more, or so far back that it is not listed and only its site's length is known. Pure. */
export function queuePlace({ sites }: Pick<QueuePage, "sites">, hostId: string): QueuePlaceWords | null {
  for (const { site, waiting, hosts } of sites) {
    const line = hosts.find((host) => host.hostId === hostId);
    if (line === undefined) continue;
    if (line.place === null) return { words: `It has no place in the queue of ${site}: ${line.reason === "" ? "it is about to look for one" : line.reason}.`, braked: line.reason.startsWith("new starts are paused") };
    return { words: `Place ${number(line.place)} of ${number(waiting)} in the queue of ${site}${line.reason === "" ? "" : `: ${line.reason}`}.`, braked: false };
  }
  return null;
}
