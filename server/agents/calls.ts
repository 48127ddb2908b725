// What every call of an agent carries, and which host it is for.
import type { Pool } from "pg";
import type { CommandHub } from "@/server/agents/command-hub";
import { plainAddress } from "@/server/agents/plain-address";
import type { AuditRefusal } from "@/server/agents/refusal";
import type { AgentQuestion } from "@/server/db/hot/agent/session";

export interface AgentServerOptions {
  readonly pool: Pool;
  readonly hub: CommandHub;
  readonly longPollMs: number;
  /** What this server tells hosts to call. */
  readonly machineUrl: string;
  /** Called when an agent with a session was heard. Must not throw. */
  readonly heard: () => void;
  /** Called after a signal was stored, so that the host is looked at now. */
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
  /** Fires when the connection is closed. */
  readonly signal: AbortSignal;
  /** Adds the host to this request's log line. */
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

/** What every statement for a call of an agent begins with. */
export const askedBy = (
  { token, address }: Pick<Caller, "token" | "address">,
  machineUrl: string,
): AgentQuestion => ({
  token: hex(token),
  address: plainAddress(address),
  server_url: machineUrl,
});

/** The step run and attempt in a command id, which the controller makes as `<step run>:<attempt>`; null if it is not an execution. */
export function executionOf(id: string): { readonly stepRunId: string; readonly attempt: number } | null {
  const match = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,8})$/.exec(id);
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : { stepRunId: match[1], attempt: Number(match[2]) };
}
