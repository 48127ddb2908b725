// Bits and numbers of the NVMe Base Specification that the erase relies on.
import { hasQuirk } from "@/server/domain/hardware/quirks";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus, Outcome } from "@/agent/steps/erasable-device";
import type { Answer, NvmeController, SanitizeLog } from "@/agent/tools/tools";

interface SanitizeAction {
  readonly sanact: 2 | 3 | 4;
  /** Bit of SANICAP. */
  readonly capability: number;
  readonly estimate: "overwrite" | "block" | "crypto";
}

export const sanitizeActions: Readonly<Partial<Record<Technique, SanitizeAction>>> = {
  "nvme-sanitize-crypto": { sanact: 4, capability: 1, estimate: "crypto" },
  "nvme-sanitize-block": { sanact: 2, capability: 2, estimate: "block" },
  "nvme-sanitize-overwrite": { sanact: 3, capability: 4, estimate: "overwrite" },
};

const techniqueByAction: ReadonlyMap<number, Technique> = new Map([
  [2, "nvme-sanitize-block"],
  [3, "nvme-sanitize-overwrite"],
  [4, "nvme-sanitize-crypto"],
]);

/** SANACT of SCDW10, as the sanitize log repeats it. */
export function techniqueOfAction(sanact: number): Technique | null {
  return techniqueByAction.get(sanact) ?? null;
}

/** OACS bit 1: Format NVM. */
export const formatsNamespaces = ({ oacs }: Pick<NvmeController, "oacs">) => (oacs & 2) !== 0;

/** OACS bit 3: Namespace Management and Attachment. */
export const managesNamespaces = (identity: NvmeController) => (identity.oacs & 8) !== 0;

/** SANICAP bit 3: Verification Support (NVMe Base Specification 2.1, of TP4152). */
export const verifiesMedia = ({ sanicap }: Pick<NvmeController, "sanicap">) => (sanicap & 8) !== 0;

/**
 * The state from SSTAT, bits 2:0, and SANS of SSI, bits 3:0. In the media verification state the sanitize counts as in progress, and so it does
 * during the deallocation afterwards.
 */
export function sanitizeState({
  sstat,
  ssi,
}: Required<Pick<SanitizeLog, "sstat" | "ssi">>): EraseStatus["state"] {
  const state = (["idle", "completed", "running", "failed", "completed"] as const)[sstat & 7] ?? "failed";
  return state === "running" && (ssi & 0xf) === 5 ? "mediaVerification" : state;
}

const hex = (value: number): string => `${value.toString(16)}h`;

/** Why a controller does not support a technique, by its identification; null: it does. */
export function nvmeRefusal({ sanicap, fna, oacs }: NvmeController, technique: Technique): string | null {
  const action = sanitizeActions[technique];
  if (action)
    return (sanicap & action.capability) === 0 ? `${technique}: not in SANICAP ${hex(sanicap)}` : null;
  if (technique === "nvme-format-crypto" && (fna & 4) === 0) return `${technique}: not in FNA ${hex(fna)}`;
  if (technique === "nvme-format-crypto" || technique === "nvme-format-user-data")
    return formatsNamespaces({ oacs }) ? null : `${technique}: Format NVM not in OACS ${hex(oacs)}`;
  return `${technique}: not for an NVMe controller`;
}

/** The fields that `nvmeRefusal` reads, as written in the standard. */
export const nvmeIdentification = ({ sanicap, fna, oacs }: NvmeController): string =>
  `SANICAP ${hex(sanicap)}, FNA ${hex(fna)}, OACS ${hex(oacs)}`;

/** A RAID kit appears as a controller whose namespaces are its virtual disks; the devices are the drives in its bays. */
export const isRaidKit = (identity: NvmeController) =>
  hasQuirk("nvmeRaidKit", { model: identity.mn, firmware: identity.fr });

/** A message with what was tried, the command, and the device's own answer. */
export function failed(what: string, answer: Answer<unknown>): { ok: false; problem: string } {
  return {
    ok: false,
    problem: `could not ${what}: ${answer.command} answered ${answer.exitCode}: ${answer.status}`,
  };
}

/** The outcome when the status cannot be read. A device that refuses with "in progress" has thereby said that it is erasing. */
export const notRead = (what: string, answer: Answer<unknown>): Outcome<EraseStatus> =>
  answer.inProgress === true
    ? {
        ok: true,
        value: { state: "running", technique: null, percent: 0, text: answer.status, estimateMs: null },
      }
    : failed(what, answer);

/** The Format Progress Indicator shows only whether a format is running, not whose it is. */
export const statusOfFormat = (percentLeft: number, text: string): EraseStatus => ({
  state: percentLeft > 0 ? "running" : "idle",
  technique: null,
  percent: percentLeft > 0 ? 100 - percentLeft : 0,
  text,
  estimateMs: null,
});
