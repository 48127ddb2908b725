// The real programs of a machine, as the steps call them (docs/design/agent.md).
import { ataTools } from "@/agent/tools/machine/disks/ata-tools";
import { blockTools, type OpenBlocks } from "@/agent/tools/machine/blocks/block-tools";
import { diskTools } from "@/agent/tools/machine/disks/disk-tools";
import { deviceMemoryTools } from "@/agent/tools/machine/parts/device-memory-tools";
import { efiTools } from "@/agent/tools/machine/efi-tools";
import type { Files } from "@/agent/tools/machine/program/files";
import { kitBlocks, kitTools } from "@/agent/tools/machine/kit-tools";
import { mstTools } from "@/agent/tools/machine/mst-tools";
import { nvmeTools } from "@/agent/tools/machine/nvme/nvme-tools";
import { partTools } from "@/agent/tools/machine/parts/part-tools";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { scsiTools } from "@/agent/tools/machine/disks/scsi-tools";
import { systemTools } from "@/agent/tools/machine/system-tools";
import { tpmTools } from "@/agent/tools/machine/tpm-tools";
import type { Tools } from "@/agent/tools/tools";

/** The first dotted number in a program's version output; a missing program has no version. */
async function versionOf(run: RunTool, program: string, option: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(program, [option]);
  const said = `${Buffer.from(stdout).toString("utf8")} ${stderr}`;
  return exitCode === 127 ? "not installed" : (/\d+(?:\.\d+)+/.exec(said)?.[0] ?? "unknown");
}

/** Reads the versions of nvme-cli, hdparm and sg3_utils first, because they are part of the evidence. `open`: block devices of a test. */
export async function machineTools(run: RunTool, files: Files, open?: OpenBlocks): Promise<Tools> {
  const [nvme, hdparm, sg3utils] = await Promise.all([
    versionOf(run, programs.nvme, "version"),
    versionOf(run, programs.hdparm, "-V"),
    versionOf(run, programs.sgSanitize, "--version"),
  ]);
  return {
    versions: { nvme, hdparm, sg3utils, mnvCli: "not installed" },
    nvme: nvmeTools(run, files),
    disks: diskTools(run, files),
    ata: ataTools(run),
    scsi: scsiTools(run),
    kit: kitTools,
    blocks: blockTools(files, kitBlocks, open),
    efi: efiTools(run, files),
    mst: mstTools(run, files),
    tpm: tpmTools(run, files),
    system: systemTools(run, files),
    parts: partTools(run, files),
    deviceMemory: deviceMemoryTools(run),
  };
}
