// Why a return began, and in words. A manual cleaning proves nothing, so it is no return.

export const returnKinds = ["release", "repairRelease", "onboarding", "recheck", "decommission"] as const;
export type ReturnKind = (typeof returnKinds)[number];

export const returnKindText = {
  release: "Released by a tenant",
  repairRelease: "Released after repair",
  onboarding: "Onboarded",
  recheck: "Rechecked",
  decommission: "Decommissioned",
} as const satisfies Record<ReturnKind, string>;
