// What a different setting would have changed, as far as recorded reclamations show (docs/adr/0053-policy-foresight.md).

export const effectKinds = ["otherwise", "same", "unknown"] as const;

export const effectLabels = {
  otherwise: "would change",
  same: "no change",
  unknown: "unknown",
} as const satisfies Record<(typeof effectKinds)[number], string>;

export interface SettingEffect {
  readonly setting: string;
  /** `unknown`: the records do not show it, which is not the same as no change. */
  readonly kind: (typeof effectKinds)[number];
  /** Number of reclamations; null: cannot be counted. */
  readonly reclamations: number | null;
  readonly words: string;
}
