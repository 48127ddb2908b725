// What every call of an agent carries, and whom it speaks for.
import type { Pool } from "pg";
import type { CommandHub } from "@/server/agents/command-hub";
import type { AuditRefusal } from "@/server/agents/refusal";

export interface AgentServerOptions {
  readonly pool: Pool;
  readonly hub: CommandHub;
  readonly longPollMs: number;
  /** Called after a signal was stored: the host is to be looked at now. */
  readonly wake: () => void;
  readonly audit: AuditRefusal;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** What every call carries besides its body. */
export interface Caller {
  /** SHA-256 of the bearer token. */
  readonly token: Buffer;
  readonly requestId: string;
  readonly address: string;
  /** Fires when the connection is gone. */
  readonly signal: AbortSignal;
  /** For the log line of this request. */
  readonly note: (host: { readonly hostId: string; readonly reclamationId: string | null }) => void;
}

/** The boot that a call belongs to. */
export interface Subject {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
}

export const hex = (token: Buffer): string => token.toString("hex");

/** The step run and attempt that a command id names, null for one that is no execution: ids are made by the controller as `<step run>:<attempt>`. */
export function executionOf(id: string): { readonly stepRunId: string; readonly attempt: number } | null {
  const match = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,8})$/.exec(id);
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : { stepRunId: match[1], attempt: Number(match[2]) };
}
