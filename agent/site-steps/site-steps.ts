// Steps that a site added to the image as files in one folder. A file that cannot be read as a step is reported to the server, which then makes no
// automated plan.
import { createHash } from "node:crypto";
import { readStepFile } from "@/agent/site-steps/step-file";
import type { StepFile } from "@/agent/site-steps/step-file";
import { offeredOf, siteStep } from "@/agent/site-steps/site-step";
import { clip } from "@/agent/steps/results";
import type { Step } from "@/agent/steps/step";
import type { Files } from "@/agent/tools/machine/program/files";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { HardwareManager } from "@/server/domain/agents/protocol";

export const siteStepsFolder = "/etc/reclaim/steps.d";
const managerName = "site";
const maxFiles = 256;
const maxBytes = 64 * 1024;

export interface SiteSteps {
  readonly steps: readonly Step[];
  /** Empty in an image without the folder. */
  readonly managers: readonly HardwareManager[];
}

export const noSiteSteps: SiteSteps = { steps: [], managers: [] };

interface Manager {
  readonly name: string;
  readonly content: Uint8Array;
  readonly read: ReturnType<typeof readStepFile>;
}

const fault = (problem: string): Manager["read"] => ({ ok: false, problem });

async function find(files: Files, name: string): Promise<Manager> {
  const content = await files.read(`${siteStepsFolder}/${name}`);
  if (content === null) return { name, content: new Uint8Array(), read: fault("cannot be read") };
  if (!name.endsWith(".json")) return { name, content, read: fault("is no .json file") };
  if (content.length > maxBytes) return { name, content, read: fault("is longer than 64 KiB") };
  const read = readStepFile(Buffer.from(content).toString("utf8"));
  if (read.ok && (await files.real(read.value.command[0])) === null)
    return { name, content, read: fault(`the image has no ${read.value.command[0]}`) };
  return { name, content, read };
}

/** If two files define the same step, the first counts and the second is a fault. */
function withoutDoubles(found: readonly Manager[]): readonly Manager[] {
  const seen = new Map<string, string>();
  return found.map((file) => {
    if (!file.read.ok) return file;
    const name = stepName(file.read.value);
    const first = seen.get(name);
    if (first !== undefined) return { ...file, read: fault(`${first} has the step ${name} already`) };
    seen.set(name, file.name);
    return file;
  });
}

/** Changes whenever any file changes, so that plans made with the old files are made again. */
function versionOf(found: readonly Manager[]): string {
  const hash = createHash("sha256");
  for (const { name, content } of found) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 12);
}

const told = (file: string, message: string) => ({ file: clip(file, 256), message: clip(message, 1_000) });

/** Never rejects: an agent that cannot read its site's steps still reports that. */
export async function readSiteSteps(run: RunTool, files: Files): Promise<SiteSteps> {
  if ((await files.real(siteStepsFolder)) === null) return noSiteSteps;
  const listed = await files.list(siteStepsFolder);
  const names = (listed ?? []).slice(0, maxFiles);
  const found = withoutDoubles(await Promise.all(names.map((name) => find(files, name))));
  const good: StepFile[] = found.flatMap(({ read }) => (read.ok ? [read.value] : []));
  const faults = [
    ...(listed === null ? [told(siteStepsFolder, "cannot be read")] : []),
    ...((listed ?? []).length > maxFiles ? [told(siteStepsFolder, "has more than 256 files")] : []),
    ...found.flatMap(({ name, read }) => (read.ok ? [] : [told(`${siteStepsFolder}/${name}`, read.problem)])),
  ].slice(0, maxFiles);
  const manager: HardwareManager = {
    name: managerName,
    version: versionOf(found),
    steps: good.map(offeredOf),
    ...(faults.length === 0 ? {} : { faults }),
  };
  return { steps: good.map((file) => siteStep(file, run)), managers: [manager] };
}
