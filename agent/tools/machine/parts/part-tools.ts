// Parts of a machine other than drives, by what its image has: sysfs, lspci, nvidia-smi, dmidecode (docs/parts.md#what-the-agent-reads).
import { answerOf, given, refused } from "@/agent/tools/machine/program/answers";
import type { Files } from "@/agent/tools/machine/program/files";
import { readModules } from "@/agent/tools/machine/parts/memory-output";
import {
  gpuFields,
  readGpus,
  readNvlinks,
  readRemaps,
  remapFields,
} from "@/agent/tools/machine/parts/nvidia-output";
import { cardsIn, readCard } from "@/agent/tools/machine/parts/pci-parts";
import { readPciNames } from "@/agent/tools/machine/parts/pci-output";
import { pciFolder, pciFunctions } from "@/agent/tools/machine/program/pci";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { maxParts, type Part } from "@/server/domain/hosts/parts/part";
import type { Answer, DriverGpu, PartTools } from "@/agent/tools/tools";

async function readPci(run: RunTool, files: Files): Promise<Answer<readonly Part[]>> {
  const command = `read ${pciFolder}`;
  const functions = await pciFunctions(files);
  if (functions === null) return refused(command, "a function cannot be read");
  const cards = cardsIn(functions);
  if (cards.length > maxParts) return refused(command, `more than ${maxParts} cards`);
  const said = cards.length === 0 ? null : await run(programs.lspci, ["-D", "-vmm"]);
  const names = (said === null || said.exitCode !== 0 ? null : readPciNames(said.stdout)) ?? new Map();
  const parts: Part[] = [];
  for (const card of cards) parts.push(await readCard(run, files, card, names));
  return given(command, parts);
}

const csv = "--format=csv,noheader,nounits";

/** What the driver does not offer for these GPUs, such as row remapping, is left out. */
async function readDriverGpus(run: RunTool): Promise<Answer<readonly DriverGpu[]>> {
  const answer = answerOf(
    await run(programs.nvidiaSmi, [`--query-gpu=${gpuFields.join(",")}`, csv]),
    readGpus,
  );
  if (answer.value === null) return { ...answer, value: null };
  const remapped = answerOf(
    await run(programs.nvidiaSmi, [`--query-remapped-rows=${remapFields.join(",")}`, csv]),
    readRemaps,
  );
  const linked = answerOf(await run(programs.nvidiaSmi, ["nvlink", "--status"]), readNvlinks);
  const gpus = answer.value.map(({ uuid, ...gpu }): DriverGpu => {
    const nvlinks = linked.value?.get(uuid);
    return {
      ...gpu,
      ecc: { ...gpu.ecc, ...remapped.value?.get(gpu.slot) },
      ...(nvlinks === undefined || nvlinks.total === 0 ? {} : { nvlinks }),
    };
  });
  return { ...answer, value: gpus };
}

export const partTools = (run: RunTool, files: Files): PartTools => ({
  pci: () => readPci(run, files),
  gpus: () => readDriverGpus(run),
  memory: async () => answerOf(await run(programs.dmidecode, ["-t", "17"]), readModules),
});
