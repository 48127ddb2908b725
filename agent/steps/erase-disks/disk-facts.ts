// What SATA and SAS disks share: one area, `smartctl` health, and the meaning of their sanitize state.
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus } from "@/agent/steps/erasable-device";
import type { Answer, AtaIdentity, Disk, DiskTools, SanitizeState } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

export function wholeDisk(disk: Disk): Area {
  return {
    target: { kind: "disk", disk: disk.path },
    blocks: Number(disk.capacityBytes / BigInt(disk.blockBytes)),
    blockBytes: disk.blockBytes,
  };
}

export async function healthOf(disks: DiskTools, path: string): Promise<string | undefined> {
  const { value } = await disks.health(path);
  return value === null ? undefined : `SMART overall health ${value.passed ? "passed" : "failed"}`;
}

/** A SAS disk's answer to REPORT SUPPORTED OPERATION CODES. */
export interface ScsiSupport {
  readonly sanitizeCrypto: boolean;
  readonly sanitizeBlock: boolean;
}

type Offers = Partial<Record<Technique, boolean | undefined>>;

const refusal = (offers: Offers, technique: Technique, kind: string, because: string): string | null =>
  technique in offers
    ? offers[technique] === true
      ? null
      : `${technique}: ${because}`
    : `${technique}: not for a ${kind} disk`;

/** Why a SATA disk does not support a technique, by its identification; null: it does. */
export function ataRefusal(identity: AtaIdentity | null, technique: Technique): string | null {
  const { sanitize, security, hiddenArea } = identity ?? {};
  // SECURITY ERASE UNIT in normal mode does not reach what DEVICE CONFIGURATION SET removed, either (ACS-3).
  if (hiddenArea !== undefined && (technique === "overwrite" || technique === "ata-secure-erase"))
    return `${technique}: ${hiddenArea}`;
  const offers: Offers = {
    "ata-sanitize-crypto": sanitize?.crypto,
    "ata-sanitize-block": sanitize?.block,
    "ata-secure-erase-enhanced": security?.supported && security.enhancedErase && !security.frozen,
    "ata-secure-erase": security?.supported && !security.frozen,
    overwrite: true,
  };
  const frozen = security?.frozen === true ? " (security frozen)" : "";
  return refusal(offers, technique, "SATA", `not offered by hdparm -I${frozen}`);
}

/** Why a SAS disk does not support a technique, by its supported operation codes; null: it does. */
export const scsiRefusal = (supported: ScsiSupport | null, technique: Technique): string | null =>
  refusal(
    {
      "scsi-sanitize-crypto": supported?.sanitizeCrypto,
      "scsi-sanitize-block": supported?.sanitizeBlock,
      overwrite: true,
    },
    technique,
    "SAS",
    "not among its supported operation codes",
  );

/** `techniques`: the name of each operation on this bus. */
export function statusOf(
  answer: Answer<SanitizeState>,
  state: SanitizeState,
  techniques: { readonly crypto: Technique; readonly block: Technique },
): EraseStatus {
  return {
    state: state.state,
    technique: state.operation === "unknown" ? null : techniques[state.operation],
    percent: state.percent,
    text: answer.status,
    ...(answer.code === undefined ? {} : { code: answer.code }),
    estimateMs: null,
  };
}

export const atRest: EraseStatus = {
  state: "idle",
  technique: null,
  percent: 0,
  text: "no sanitize status on this device",
  estimateMs: null,
};
