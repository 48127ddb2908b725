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
] as const;
export type EventKind = (typeof eventKinds)[number];
