// `reclaim bmc record`: what a BMC answers as a folder that may be sent to us. It asks the BMC itself, without a server.
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { formatCounted } from "@/server/domain/numbers";
import { kindLabels, removedKinds, replacedKinds } from "@/server/domain/hardware/recording";
import { accessOptions, addressOf, isFolder, requireNode } from "@/cli/commands/hosts/bmc-place";
import { command } from "@/cli/define/command";
import { arg } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";

const recordingShape = record({
  folder: z.string(),
  resources: z.number(),
  replaced: list(record({ kind: z.enum([...replacedKinds, ...removedKinds]), count: z.number() })),
  leftOut: list(record({ what: z.string(), count: z.number() })),
  missing: list(record({ path: z.string(), why: z.string() })),
  brokeOff: z.string().nullable(),
});

/** Refuses a folder with something in it, so that nothing of an earlier recording stays. */
async function requireEmpty(folder: string): Promise<void> {
  if ((await isFolder(folder)) && (await readdir(folder)).length > 0)
    throw new CommandError("usage", `The folder ${folder} is not empty.`, "Name one that is not there yet.");
}

export const bmcRecord = command("bmc record", {
  title: "records what a BMC answers as a folder, without what identifies the machine",
  shape: recordingShape,
  signedIn: false,
  args: {
    address: arg("<address>", "address of the BMC"),
    folder: arg("<folder>", "where to write it; must be empty or not there"),
  },
  options: accessOptions,
  examples: ["bmc record 10.0.0.7 ./captured --username root", "bmc check ./captured"],
  note: "It changes nothing on a BMC but its sessions: it opens one and deletes it. No server of Reclaim takes part.\nExit code 1: the BMC does not let us in, or the recording is not complete.",
  run: async ({ printer, surroundings }, { address: place, folder, ca, certificate, ...given }) => {
    requireNode("bmc record");
    await requireEmpty(folder);
    const address = await addressOf(surroundings, place, { ...given, ca, certificate, system: null });
    const { recordBmc } = await import("@/server/hardware/redfish/record/record-bmc");
    const recording = await recordBmc(address, folder, surroundings.interrupted);
    if ("refusal" in recording)
      throw new CommandError("failed", `Nothing was recorded: ${recording.refusal}`);
    const { resources, replaced, leftOut, missing, brokeOff } = recording;
    printer.show({ folder, ...recording }, [
      {
        title: folder,
        facts: [
          ["resources", formatCounted(resources, "resource")],
          ...replaced.map(({ kind, count }): [string, string] => [
            removedKinds.some((name) => name === kind) ? "taken out" : "replaced",
            `${count} ${count === 1 ? kindLabels[kind].one : kindLabels[kind].other}`,
          ]),
          ...leftOut.map(({ what }): [string, string] => ["left out", what]),
          ...missing.map(({ path, why }): [string, string] => ["not given", `${path}: ${why}`]),
        ],
      },
    ]);
    printer.say(
      "Look through the folder before you send it: what a person wrote into a free text may still be there.",
    );
    if (brokeOff !== null) throw new CommandError("failed", `The recording is not complete: ${brokeOff}.`);
  },
});
