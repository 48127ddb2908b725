// The block device of an NVMe namespace. Names and ids can differ once a namespace is detached: /dev/nvme0n2 may be id 6 (docs/design/agent.md).
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { controllerPath } from "@/agent/tools/machine/nvme/nvme-output";

/** If a subsystem has several paths, the kernel hides each path (`nvme0c1n2`) and shows the namespace under the subsystem's name (`nvme0n2`). */
const hiddenPath = /^(nvme\d+)c\d+(n\d+)$/;
const shown = /^nvme\d+n\d+$/;

/** Null if the kernel shows no such namespace of this controller, or more than one. */
export async function namespacePath(
  files: Files,
  controller: string,
  namespace: number,
): Promise<string | null> {
  if (!controllerPath.test(controller)) return null;
  const folder = `/sys/class/nvme/${controller.slice("/dev/".length)}`;
  const found: string[] = [];
  for (const name of (await files.list(folder)) ?? []) {
    if (!hiddenPath.test(name) && !shown.test(name)) continue;
    if ((await lineIn(files, `${folder}/${name}/nsid`)) === String(namespace))
      found.push(`/dev/${name.replace(hiddenPath, "$1$2")}`);
  }
  const [path] = found;
  return found.length === 1 && path !== undefined ? path : null;
}
