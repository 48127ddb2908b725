// Causes at a drive.
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { CauseKey } from "@/server/domain/cleaning/failures/cause";
import {
  aboutText,
  formatAnswer,
  formatCommand,
  deviceAt,
  deviceText,
  fact,
  formatFirmware,
  happened,
  has,
  formatSeconds,
  sentence,
  formatTechnique,
  withoutStop,
} from "@/server/domain/cleaning/failures/table/row";
import type { CauseRow } from "@/server/domain/cleaning/failures/table/row";

const replace = (at: string): string =>
  `If it fails again, replace drive ${at}, record its disposition, and restart the plan. If it must stay for now, ask for an exception on the Gates tab.`;

/** A colon and the device's answer; empty without an answer. */
const because = (words: string): string => (words === "" ? "" : `: ${words}`);

export const driveCauses = {
  eraseRefused: {
    label: "Erase refused",
    replaceAfter: 2,
    brief: (cause) => happened(`${formatCommand(cause)} refused`, aboutText(cause)),
    says: (cause) =>
      sentence(`${deviceText(cause)} refused ${formatTechnique(cause)}${because(formatAnswer(cause))}`),
    check: (cause) =>
      `Check whether a release after ${formatFirmware(cause)} offers ${formatTechnique(cause)}, or allow another erase command in the site's policy, then retry. ${replace(deviceAt(cause))}`,
  },
  eraseFailed: {
    label: "Erase failed",
    replaceAfter: 2,
    brief: (cause) => happened(`${formatCommand(cause)} failed`, aboutText(cause)),
    says: (cause) =>
      sentence(
        `${deviceText(cause)} accepted ${formatTechnique(cause)} but did not complete it${because(formatAnswer(cause))}`,
      ),
    check: (cause) =>
      `Retry once: the erase starts over. ${replace(deviceAt(cause))} Note ${formatFirmware(cause)} for the vendor.`,
  },
  eraseHangs: {
    label: "Erase hangs",
    replaceAfter: 2,
    brief: (cause) => happened(`${formatCommand(cause)} hangs`, aboutText(cause)),
    says: (cause) =>
      `${deviceText(cause)} has made no progress with ${formatTechnique(cause)} for ${formatSeconds(cause, "seconds")}; it may still be erasing, so the host stays on.`,
    check: (cause) =>
      `Wait and watch the drive's progress on this page; retry when it has ended. If it makes no progress and no agent responds, use ${hostActions.skipEraseWait.words} (a drive that is still erasing may become unusable), power cycle the host, then retry. ${replace(deviceAt(cause))}`,
  },
  contentLeft: {
    label: "Old content found",
    replaceAfter: 1,
    says: (cause) =>
      `${deviceText(cause)} reported ${formatTechnique(cause)} as complete, but old content is still there: ${fact(cause, "mismatches")} of ${fact(cause, "samples")} samples and ${fact(cause, "found")} of ${fact(cause, "markers")} markers survived.`,
    check: (cause) =>
      `Do not allocate this host. Replace drive ${deviceAt(cause)}, keep it for the vendor, and record its disposition. Other drives with ${formatFirmware(cause)} may also report false success: remove this erase command from the policy until the vendor has answered.`,
  },
  notReadBack: {
    label: "Not read back",
    replaceAfter: 2,
    says: (cause) =>
      `${deviceText(cause)} reported ${formatTechnique(cause)} as complete, but could not be read back, so the erase is not verified.`,
    check: (cause) =>
      `Check the health data for read errors of drive ${deviceAt(cause)}, then retry. ${replace(deviceAt(cause))}`,
  },
  driveUnreadable: {
    label: "Drive unreadable",
    replaceAfter: 2,
    says: (cause) =>
      `${deviceText(cause)} cannot be read, so its erase could not be verified; nothing was sent to it.`,
    check: (cause) =>
      `Check the health data for media errors of drive ${deviceAt(cause)}. A self-encrypting drive that is locked cannot be read either: revert it with the PSID on its label. Otherwise replace it, record its disposition, and restart the plan.`,
  },
  driveLocked: {
    label: "Drive locked",
    says: (cause) =>
      `${deviceText(cause)} is locked by an ATA password or by its own encryption (TCG), whose key Reclaim does not have.`,
    check: (cause) =>
      `Unlock drive ${deviceAt(cause)} with the password of its last tenant (hdparm --security-unlock), or revert a self-encrypting drive with the PSID on its label; then retry. Or replace it, record its disposition, and restart the plan.`,
  },
  noTechnique: {
    label: "No erase command",
    says: (cause) =>
      `${deviceText(cause)} supports none of the erase commands that the site's policy allows${because(cause.raw)}.`,
    check: (cause) =>
      `Compare what ${formatFirmware(cause)} offers (Inventory) with the site's erase policy. Allow a command that the drive has, or update its firmware; then retry. Or replace drive ${deviceAt(cause)}, record its disposition, and restart the plan.`,
  },
  driveHidesSectors: {
    label: "Hidden sectors",
    says: (cause) =>
      `${deviceText(cause)} has hidden sectors, or does not report whether it has, and none of the erase commands that it supports and the site's policy allows reaches them${because(cause.raw)}.`,
    check: (cause) =>
      `Allow a command that reaches hidden sectors and that the drive supports (sanitize or enhanced secure erase, see Inventory). Or remove the hidden area of drive ${deviceAt(cause)} by hand: put the host in maintenance, boot a system of your own, run hdparm -N p<native maximum> (HPA) or --dco-restore (DCO), power cycle the host, and retry. Or replace the drive, record its disposition, and restart the plan.`,
  },
  noFallback: {
    label: "Fallback forbidden",
    says: (cause) =>
      `${deviceText(cause)} does not support the policy's first erase command, and the policy allows no fallback${because(cause.raw)}.`,
    check: () =>
      "Allow fallback in the site's erase policy, or put a command that the drive supports first. Then retry.",
  },
  levelTooLow: {
    label: "Level too low",
    says: (cause) =>
      `${deviceText(cause)} was erased by ${formatTechnique(cause)}, which is not enough: ${sentence(cause.raw)}`,
    check: (cause) =>
      `Put a stronger command first in the site's erase policy, or lower the minimum level if the site's rules allow it. ${formatFirmware(cause)} decides which commands the drive offers.`,
  },
  notErased: {
    label: "Not erased",
    replaceAfter: 2,
    says: (cause) => `${deviceText(cause)} was not erased${because(sentence(formatAnswer(cause)))}`,
    check: (cause) => `Read the drive's answer under Device answers, then retry. ${replace(deviceAt(cause))}`,
  },
  contentNotRecorded: {
    label: "Content not recorded",
    says: (cause) =>
      `${deviceText(cause)} was erased, but its content after the erase was not recorded, so a later change could not be detected${because(sentence(cause.raw))}`,
    check: (cause) =>
      `Retry: the drive is erased and read again. If it fails again, check for read errors of drive ${deviceAt(cause)}, or roll out a newer agent image.`,
  },
  driveNotReported: {
    label: "No result",
    says: (cause) =>
      `The agent reported no result for ${deviceText(cause).replace(/^Drive/, "drive")}, which must be erased.`,
    check: (cause) =>
      `Check which agent image the host boots: it must process every drive. Then check that drive ${deviceAt(cause)} is seated and powered, and retry.`,
  },
  driveMissing: {
    label: "Drive missing",
    says: (cause) =>
      `${deviceText(cause)} is missing: ${has(cause, "knownBy") ? `known by ${fact(cause, "knownBy")}, and ` : ""}not found by the agent.`,
    check: (cause) =>
      `Check that drive ${deviceAt(cause)} is seated and powered, then retry. If it was removed or replaced, record its disposition, then restart the plan.`,
  },
  driveSilent: {
    label: "Drive without identity",
    brief: ({ raw }) => happened("Drive without identity", withoutStop(raw)),
    says: (cause) => sentence(cause.raw),
    check: (cause) =>
      `Find the drive${cause.device?.slot === undefined ? "" : ` in ${cause.device.slot}`} that reports no serial number or model. Replace it, or record its disposition as misread, then restart the plan.`,
  },
  remnantFound: {
    label: "Remnant found",
    replaceAfter: 1,
    says: (cause) =>
      `${deviceText(cause)} still holds ${fact(cause, "found")} of ${fact(cause, "canaries")} canaries that were written before its erase.`,
    check: (cause) =>
      `Do not reuse this drive: its erase left data behind. ${replace(deviceAt(cause))} Drives of the same model and firmware may be affected: see the Drive models page.`,
  },
  notProbed: {
    label: "Not probed",
    says: (cause) =>
      `${deviceText(cause)} was not probed, but the policy requires it${because(sentence(cause.raw))}`,
    check: (cause) =>
      `Check that drive ${deviceAt(cause)} accepts writes, and that the host boots an agent image with the remnant probe. Then retry. Drives erased by a BMC are never probed: have the agent erase it, or remove the requirement from the policy.`,
  },
  contentChanged: {
    label: "Content changed",
    says: (cause) => sentence(cause.raw),
    check: () =>
      "Find out who booted the host from another source, or worked on it, since its erase. Then retry: every drive is erased again.",
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;
