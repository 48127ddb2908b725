// Records what a BMC answers as a folder that `reclaim bmc check` reads, without what identifies it (docs/hardware.md#reclaim-bmc-record).
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AddressToCheck } from "@/server/hardware/redfish/check/check-place";
import { everywhere, targetOf } from "@/server/hardware/redfish/check/check-place";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { Scrubber } from "@/server/hardware/redfish/record/scrub";
import { Walk } from "@/server/hardware/redfish/record/walk";
import type { ScrubbedKind } from "@/server/domain/hardware/recording";

export interface Recording {
  readonly resources: number;
  readonly replaced: readonly { readonly kind: ScrubbedKind; readonly count: number }[];
  readonly leftOut: readonly { readonly what: string; readonly count: number }[];
  /** What the BMC did not give, or what no folder can hold. */
  readonly missing: readonly { readonly path: string; readonly why: string }[];
  /** Why it is not complete; null: all was read. */
  readonly brokeOff: string | null;
}

/** Of one recording, with all its requests: a slow BMC with some thousand resources needs half an hour. */
const timeoutMs = 3 * 3_600_000;
const hostId = "bmc-record";

/** A name that a file system takes; a part of a path that leads elsewhere is none. */
const isFolderName = (part: string): boolean =>
  part !== "." && part !== ".." && !part.includes("\0") && Buffer.byteLength(part) <= 255;

async function write(folder: string, path: string, body: unknown): Promise<boolean> {
  const parts = path.split("/").filter((part) => part !== "");
  if (!parts.every(isFolderName)) return false;
  const place = join(folder, ...parts);
  await mkdir(place, { recursive: true, mode: 0o700 });
  await writeFile(join(place, "index.json"), `${JSON.stringify(body, null, 2)}\n`, { mode: 0o600 });
  return true;
}

/**
 * Signs in, reads all that the service links to, signs out, and writes it to the folder.
 * @param folder must be empty or not there
 * @returns the BMC's words if it does not let us in, and then nothing is written
 */
export async function recordBmc(
  address: AddressToCheck,
  folder: string,
  signal: AbortSignal,
): Promise<Recording | { readonly refusal: string }> {
  const client = new RedfishClient({ networks: everywhere });
  try {
    const begun = client.begin(
      { hostId, links: null, powerState: null, ...targetOf(address) },
      { timeoutMs, signal },
    );
    if (!begun.ok) return { refusal: begun.error.message };
    const { call } = begun;
    const rooted = await client.serviceRoot(call);
    if (!rooted.ok) return { refusal: rooted.error.message };
    const systems = rooted.root.Systems?.["@odata.id"];
    const entered = systems === undefined ? null : await client.get(call, systems);
    if (entered?.ok === false) return { refusal: entered.error.message };
    const walked = await new Walk(client, call).read();
    const { hostname: host } = new URL(address.address);
    const { username, password } = address;
    const scrubber = new Scrubber(randomBytes(32), walked.resources, {
      host: host.replace(/^\[|\]$/g, ""),
      username,
      password,
    });
    const missing = walked.refused.map(({ path, why }) => ({
      path: scrubber.text(path),
      why: scrubber.text(why),
    }));
    let resources = 0;
    for (const [path, body] of walked.resources) {
      const place = scrubber.text(path);
      if (await write(folder, place, scrubber.body(body))) resources += 1;
      else missing.push({ path: place, why: "a folder cannot have this name" });
    }
    return {
      resources,
      replaced: scrubber.counts(),
      leftOut: [...walked.leftOut].map(([what, count]) => ({ what, count })),
      missing,
      brokeOff: walked.brokeOff,
    };
  } finally {
    await client.endSessions(new Set([hostId]));
    await client.close();
  }
}
