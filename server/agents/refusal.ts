// Refused reports: what the agent or adapter is told, and what is recorded (docs/design/agent.md#protocol).
import type { Result } from "@/server/db/transaction";
import type { RefusalCode } from "@/server/domain/problems";

export type RefusedAction =
  | "boot.token"
  | "boot.register"
  | "agent.call"
  | "agent.progress"
  | "agent.result"
  | "agent.discovery"
  | "agent.validation"
  | "agent.drives"
  | "agent.attestation"
  | "network.acknowledge"
  | "health.report"
  | "lease.take"
  | "lease.note"
  | "lease.label"
  | "lease.ticket"
  | "lease.return";

/** One refused call of an authenticated caller; a call without a valid token is only logged and counted. */
export interface RefusedCall {
  readonly action: RefusedAction;
  readonly code: RefusalCode;
  readonly actor: { readonly kind: "agent" | "adapter"; readonly id: string };
  readonly hostId: string | null;
  readonly tenantId: string | null;
  readonly requestId: string;
  readonly address: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

export type AuditRefusal = (call: RefusedCall) => Promise<void>;

export interface Refusal {
  readonly code: RefusalCode;
}
export type Outcome<Value> = Result<Value, Refusal>;

export const granted = <Value>(value: Value): Outcome<Value> => ({ ok: true, value });
export interface Refused {
  readonly ok: false;
  readonly problem: Refusal;
}
export const refused = (code: RefusalCode): Refused => ({
  ok: false,
  problem: { code },
});

const quietMs = 60_000;
const maxRemembered = 10_000;

/** Writes the same refusal at most once a minute, so that an agent in a loop cannot fill the log. */
export function oncePerMinute(audit: AuditRefusal, now: () => number): AuditRefusal {
  const last = new Map<string, number>();
  return async (call) => {
    const key = JSON.stringify([call.action, call.code, call.actor.id, call.hostId, call.facts]);
    const at = now();
    const before = last.get(key);
    if (before !== undefined && at - before < quietMs) return;
    last.delete(key);
    last.set(key, at);
    for (const [old, when] of last) {
      if (last.size <= maxRemembered && at - when < quietMs) break;
      last.delete(old);
    }
    await audit(call);
  };
}
