// The verdict of read-back: it can refute an erase but never prove one (docs/design/sanitization.md#verification).
import type { z } from "zod";
import type { verification } from "@/server/domain/cleaning/sanitization/device-result";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { Area } from "@/agent/verification/area";
import { compareDigests } from "@/agent/verification/digests";
import { findMarkers } from "@/agent/verification/markers";
import type { BlockTools } from "@/agent/tools/tools";

export type Verification = z.infer<typeof verification>;

/** What was prepared on the device before the command was sent. */
export interface Evidence {
  readonly seed: string;
  readonly digests: readonly string[];
  /** As requested by the policy, not as written, because places follow from it. */
  readonly markers: number;
  readonly markersWritten: number;
  readonly samples: number;
  /** In a later attempt: the first attempt's samples of the tenant's own data, which are compared as well. */
  readonly first: { readonly seed: string; readonly digests: readonly string[] } | null;
}

const cryptographic: ReadonlySet<Technique> = new Set([
  "nvme-sanitize-crypto",
  "nvme-format-crypto",
  "ata-sanitize-crypto",
  "scsi-sanitize-crypto",
]);

/**
 * Compares every sampled block and marker. `failed`: something is still there. `impossible`: nothing could be compared, or blocks could not be read,
 * which only a cryptographic erase may cause. With `mustRead` no block may be unreadable, because the blocks themselves prove that anything was
 * erased at all.
 */
export async function verify(
  tools: BlockTools,
  areas: readonly Area[],
  evidence: Evidence,
  technique: Technique,
  mustRead = false,
): Promise<Verification> {
  const own = await compareDigests(tools, areas, evidence.seed, evidence.samples, evidence.digests);
  const first =
    evidence.first === null || evidence.first.seed === evidence.seed
      ? null
      : await compareDigests(tools, areas, evidence.first.seed, evidence.samples, evidence.first.digests);
  const digests =
    first === null
      ? own
      : {
          compared: own.compared + first.compared,
          unreadable: own.unreadable + first.unreadable,
          matches: own.matches + first.matches,
          bytes: own.bytes + first.bytes,
        };
  const markers =
    evidence.markersWritten > 0
      ? await findMarkers(tools, areas, evidence.seed, evidence.markers)
      : { found: 0, read: 0, bytes: 0 };
  const prepared = digests.compared + digests.unreadable + evidence.markersWritten;
  const unreadable =
    digests.unreadable > 0 || (evidence.markersWritten > 0 && markers.read < evidence.markers);
  const refuted = digests.matches > 0 || markers.found > 0;
  const impossible = prepared === 0 || (unreadable && (mustRead || !cryptographic.has(technique)));
  return {
    kind: evidence.markersWritten > 0 ? "markers-and-digests" : "digests",
    samples: digests.compared,
    bytes: String(digests.bytes + markers.bytes),
    seed: evidence.seed,
    markersWritten: evidence.markersWritten,
    markersFound: markers.found,
    mismatches: digests.matches,
    result: refuted ? "failed" : impossible ? "impossible" : "passed",
  };
}
