// Steps that a site added to the image as files in one folder. A file that cannot be read as a step is reported to the server, which then makes no
// automated plan.
import { readSiteFolder } from "@/agent/site-steps/site-folder";
import type { Kind } from "@/agent/site-steps/site-folder";
import { offeredOf, siteStep } from "@/agent/site-steps/site-step";
import { readStepFile } from "@/agent/site-steps/step-file";
import type { StepFile } from "@/agent/site-steps/step-file";
import type { Step } from "@/agent/steps/step";
import type { Files } from "@/agent/tools/machine/program/files";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { HardwareManager } from "@/server/domain/agents/protocol";

export const siteStepsFolder = "/etc/reclaim/steps.d";
const managerName = "site";

export interface SiteSteps {
  readonly steps: readonly Step[];
  /** Empty in an image without the folder. */
  readonly managers: readonly HardwareManager[];
}

export const noSiteSteps: SiteSteps = { steps: [], managers: [] };

const stepFiles: Kind<StepFile> = {
  folder: siteStepsFolder,
  read: readStepFile,
  programOf: ({ command }) => command[0],
  nameOf: (file) => `the step ${stepName(file)}`,
};

/** Never rejects: an agent that cannot read its site's steps still reports that. */
export async function readSiteSteps(run: RunTool, files: Files): Promise<SiteSteps> {
  const found = await readSiteFolder(files, stepFiles);
  if (found === null) return noSiteSteps;
  // Plans that were made with other files are made again.
  const manager: HardwareManager = {
    name: managerName,
    version: found.version,
    steps: found.values.map(offeredOf),
    ...(found.faults.length === 0 ? {} : { faults: [...found.faults] }),
  };
  return { steps: found.values.map((file) => siteStep(file, run)), managers: [manager] };
}
