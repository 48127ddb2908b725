// What is wrong with a part by what is reported of it: a degraded link, memory errors, a driver that does not reach it (docs/parts.md#faults).
import type { Part } from "@/server/domain/hosts/parts/part";

function linkFault({ link }: Part): string | null {
  if (link === undefined) return null;
  const { width, maxWidth, speed, maxSpeed } = link;
  if (width !== undefined && maxWidth !== undefined && width < maxWidth)
    return `its PCIe link has ${width} of ${maxWidth} lanes`;
  if (speed !== undefined && maxSpeed !== undefined && speed < maxSpeed)
    return `its PCIe link runs at ${speed} of ${maxSpeed} GT/s`;
  return null;
}

function eccFault({ ecc }: Part): string | null {
  if (ecc?.remapFailed === true) return "a memory row could not be remapped: replace it";
  if (ecc?.remapPending === true) return "a memory row waits to be remapped: restart the host";
  if (ecc?.uncorrected !== undefined && ecc.uncorrected > 0)
    return `it had ${ecc.uncorrected} uncorrected memory errors since its driver was loaded`;
  return null;
}

/** Why this part is not as it should be; null: nothing that was reported says so. Pure. */
export function partFault(found: Part): string | null {
  if (found.fault !== undefined) return found.fault;
  const link = linkFault(found);
  // safety: parts: a degraded link
  if (link !== null) return link;
  return eccFault(found);
}
