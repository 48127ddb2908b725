// A drive's status in one line: where it is, and its latest result. Pure.
import type { Tone } from "@/components/ui/tone";
import type { DriveDetail } from "@/server/surfaces/trpc/types";

type Standing = Pick<DriveDetail, "stays" | "erases" | "dispositions">;

function placeText({ stays, dispositions }: Standing): string {
  const now = stays.filter(({ until }) => until === null);
  const names = now.map(
    ({ host, slot }) => `${host.name ?? "a host without a record"}${slot === null ? "" : `, ${slot}`}`,
  );
  if (now.length > 1)
    return `Listed by ${now.length} hosts, ${names.join("; ")}: their next inventories will show which of them has it`;
  if (now.length === 1) return `In ${names[0] ?? ""}`;
  const stated = dispositions.find(({ withdrawn }) => withdrawn === null);
  if (stated !== undefined) return `Not in any host; ${stated.words}, stated by ${stated.by}`;
  return stays.length === 0 ? "Never listed by a host" : "Not in any host";
}

export function driveStatus(drive: Standing): { readonly tone: Tone; readonly words: string } {
  const [newest] = drive.erases;
  const last =
    newest === undefined
      ? "never erased by Reclaim"
      : newest.verdict === "sanitized"
        ? `last erase: ${newest.level}`
        : "last erase failed";
  const twice = drive.stays.filter(({ until }) => until === null).length > 1;
  const failed = newest !== undefined && newest.verdict !== "sanitized";
  return {
    tone: failed ? "failed" : twice ? "attention" : "neutral",
    words: `${placeText(drive)}; ${last}.`,
  };
}
