// `reclaim instances create --wait`: waits until the new instance is ready for its tenant.
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import { pause } from "@/cli/live/pause";
import { plain } from "@/cli/output/text";
import type { Shell } from "@/cli/shell";

const lookEveryMs = 1_000;

const statusText = ({ name, status, message }: InstanceRow): string =>
  plain(`${name}: ${status}${message === null ? "" : `, ${message}`}`);

/**
 * Prints each status that the tenant is told, once. Throws if the instance is released in the meantime, or not ready in time.
 * @param timeoutMs null: no timeout
 */
export async function waitForInstance(
  { client, printer, surroundings }: Shell,
  id: string,
  timeoutMs: number | null,
): Promise<InstanceRow> {
  const until = timeoutMs === null ? Infinity : Date.now() + timeoutMs;
  let said = "";
  for (;;) {
    const row = await client.instances.get.query({ id });
    const words = statusText(row);
    if (words !== said) printer.say(words);
    said = words;
    if (row.endedAt !== null || row.releaseRequestedAt !== null)
      throw new CommandError("otherwise", `${row.name} was released before it was ready.`);
    if (row.readyAt !== null) return row;
    if (Date.now() >= until)
      throw new CommandError(
        "late",
        `${row.name} is not ready yet. Reclaim continues to prepare it.`,
        `\`reclaim instances status-history ${row.name}\` tells what it waits for; \`reclaim release ${row.name}\` gives it up.`,
      );
    await pause(lookEveryMs, surroundings.interrupted);
    if (surroundings.interrupted.aborted) throw interruptedError();
  }
}
