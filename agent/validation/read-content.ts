// Reads every drive's content again in the final boot; the server compares it with what the erase left.
import type { ContentReading, FingerprintRequest } from "@/server/domain/cleaning/sanitization/content";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { inParallel } from "@/agent/steps/in-parallel";
import { clip } from "@/agent/steps/results";
import type { Tools } from "@/agent/tools/tools";
import { findCanaries } from "@/agent/verification/canaries";
import { takeFingerprint } from "@/agent/verification/fingerprint";

const atOnce = 8;

/** One reading per drive found. Empty if the drives cannot be listed, so that every drive counts as not read again. */
export async function readContent(tools: Tools, request: FingerprintRequest): Promise<ContentReading[]> {
  const found = await findAllDevices(tools);
  if (!found.ok) return [];
  return inParallel(found.value, atOnce, async (device): Promise<ContentReading> => {
    const { serial, model } = device.facts;
    const taken = await takeFingerprint(tools.blocks, device, request);
    if (!taken.ok) return { serial, model, problem: clip(taken.problem) };
    const areas = await device.areas();
    const probe = areas.ok ? await findCanaries(tools.blocks, device.facts, areas.value, request) : null;
    return { serial, model, fingerprint: taken.value, ...(probe === null ? {} : { probe }) };
  });
}
