// What an alert can do other than being shown: the classifications that act, by NICo's names (docs/repair.md#classifications).

/** The effect of each, as text for people. Other classifications are stored and shown, but have no effect. */
export const classificationEffects = {
  PreventAllocations: "The host is not allocated.",
  PreventHostStateChanges: "A release waits before the host's network is switched.",
  PreventInstanceDeletion: "The instance on the host cannot be released.",
  SuppressExternalAlerting: "The host is excluded from the counts used for alerting.",
  ExcludeFromStateMachineSla: "The host is not counted as over its time limit.",
  StopRebootForAutomaticRecoveryFromStateMachine:
    "If the host should register but does not, it is not restarted again.",
} as const;
export type ActingClassification = keyof typeof classificationEffects;

/** In display order. */
export const actingClassifications: readonly ActingClassification[] = [
  "PreventAllocations",
  "PreventHostStateChanges",
  "PreventInstanceDeletion",
  "SuppressExternalAlerting",
  "ExcludeFromStateMachineSla",
  "StopRebootForAutomaticRecoveryFromStateMachine",
];

/** Whether a classification does anything. */
export const isActing = (name: string): name is ActingClassification =>
  actingClassifications.some((known) => known === name);
