// An audit event caused by the system itself.

/** Without an id. */
export const systemEvent = {
  actor: { kind: "system", id: null, name: null },
  action: "host.retry",
  targetId: null,
  tenantId: null,
  requestId: "",
  address: null,
  outcome: "done",
  before: null,
  after: null,
} as const;
