// Events that webhooks can subscribe to (docs/repair.md#webhooks).

export const eventKinds = [
  "ticket.opened",
  "ticket.updated",
  "ticket.closed",
  "notice.created",
  "notice.changed",
  "notice.ended",
  "capacity.added",
  "capacity.removed",
  "brake.engaged",
  "brake.asks",
  "security.event",
  "next.opened",
  "next.closed",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Never sent to tenants. */
export const providerKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  "brake.engaged",
  "brake.asks",
  "security.event",
  "next.opened",
  "next.closed",
]);
