// After a verified erase: deletes all namespaces, then creates and attaches one of full capacity (docs/design/sanitization.md#nvme).
import type { Outcome } from "@/agent/steps/erasable-device";
import { failed } from "@/agent/steps/erase-nvme/nvme-facts";
import type { NvmeController, NvmeNamespace, NvmeTools } from "@/agent/tools/tools";

/** The best 512-byte format, else 4096, without metadata; relative performance 0 is best. */
function bestFormat(formats: NvmeNamespace["formats"]): { index: number; dataBytes: number } | null {
  for (const dataBytes of [512, 4096]) {
    const fitting = [...formats.entries()].filter(
      ([, format]) => format.dataBytes === dataBytes && format.metadataBytes === 0,
    );
    fitting.sort(([, a], [, b]) => a.relativePerformance - b.relativePerformance);
    const best = fitting[0];
    if (best) return { index: best[0], dataBytes };
  }
  return null;
}

/** Returns warnings on success. A controller that refuses the very first delete keeps its namespaces; a failure after a delete is an error. */
export async function renewNamespaces(
  nvme: NvmeTools,
  controller: string,
  identity: NvmeController,
): Promise<Outcome<readonly string[]>> {
  const all = await nvme.namespaces(controller, "all");
  if (all.value === null) return failed("list its namespaces", all);
  const first = all.value[0];
  const sample = first === undefined ? null : (await nvme.identifyNamespace(controller, first)).value;
  const format = sample ? bestFormat(sample.formats) : null;
  if (!sample || !format)
    return { ok: true, value: ["keeps its namespaces: no format of 512 or 4096 bytes without metadata"] };
  for (const [index, namespace] of all.value.entries()) {
    const answer = await nvme.remove(controller, namespace);
    if (answer.value === true) continue;
    if (index === 0)
      return {
        ok: true,
        value: [`keeps its namespaces: ${answer.command} answered ${answer.exitCode}: ${answer.status}`],
      };
    return failed(`delete namespace ${namespace}`, answer);
  }
  const created = await nvme.create(
    controller,
    Number(identity.tnvmcapBytes / BigInt(format.dataBytes)),
    format.index,
  );
  if (created.value === null) return failed("create one namespace of full capacity", created);
  const attached = await nvme.attach(controller, created.value, identity.cntlid);
  if (attached.value !== true) return failed(`attach namespace ${created.value}`, attached);
  return { ok: true, value: [] };
}
