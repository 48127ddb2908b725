// The dispositions that a person may record for a missing drive that is owed or expected: one table for pages, command line and evidence.

export const dispositionKinds = [
  "removed-destroyed",
  "removed-returned",
  "removed-quarantined",
  "misread",
] as const;
export type DispositionKind = (typeof dispositionKinds)[number];

interface KindRow {
  /** Label in the selection. */
  readonly label: string;
  /** In evidence: "Drive X: removed and destroyed, stated by …". */
  readonly words: string;
  /** What it means for the host and the drive, in one sentence. */
  readonly consequence: string;
}

const whereItGoes =
  "The missing drive no longer blocks the host. If the drive turns up in any host, it must be erased there.";

export const dispositionTable = {
  "removed-destroyed": {
    label: "Removed and destroyed",
    words: "removed and destroyed",
    consequence: whereItGoes,
  },
  "removed-returned": {
    label: "Removed and returned to the vendor",
    words: "removed and returned to the vendor",
    consequence: `${whereItGoes} Nothing here proves that its data is gone.`,
  },
  "removed-quarantined": {
    label: "Removed and kept in quarantine",
    words: "removed and kept in quarantine",
    consequence: `${whereItGoes} Nothing here proves that its data is gone.`,
  },
  misread: {
    label: "Misread: the slot holds a drive with another serial number",
    words: "misread",
    consequence:
      "Takes effect when a later inventory shows a different serial number in that slot. That drive is erased like any other.",
  },
} as const satisfies Record<DispositionKind, KindRow>;
