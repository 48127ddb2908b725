// The merged timeline of a return, a host, a drive or a tenant (docs/assurance/proof.md#timelines).

export const timelineSubjects = ["return", "host", "drive", "tenant"] as const;
export type TimelineSubject = (typeof timelineSubjects)[number];

/** `act`: what a person or program asked for. `security`: a security event. */
export const timelineKinds = [
  "state",
  "act",
  "approval",
  "certificate",
  "drive",
  "instance",
  "security",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];
