// The server side of what Ironic's agent calls: lookup, heartbeat, inspection (docs/adr/0087-the-ironic-agent-as-a-guest.md).
import type { Pool } from "pg";
import type { BootServer, GuestQuery } from "@/server/agents/boot/boot-server";
import { callbackRefusal } from "@/server/agents/guest/callback";
import type { GuestBridge } from "@/server/agents/guest/guest-bridge";
import type { AuditRefusal } from "@/server/agents/refusal";
import {
  contestGuest,
  findGuestWindow,
  noteGuest,
  noteGuestRefusal,
  type GuestWindowRow,
} from "@/server/db/hot/agent/guest";
import { plainAddress } from "@/server/agents/plain-address";
import { problems } from "@/server/domain/problems";
import { tokenHash } from "@/server/domain/access/tokens";
import { guestNode, type GuestHeartbeat, type GuestNode } from "@/server/domain/agents/ironic/wire";

interface GuestServerOptions {
  readonly pool: Pool;
  readonly boots: Pick<BootServer, "guestToken" | "guestHost">;
  readonly bridge: Pick<GuestBridge, "wake" | "close">;
  readonly audit: AuditRefusal;
  /** Called after a signal was stored, so that the host is looked at now. */
  readonly wake: () => void;
}

interface GuestResult {
  readonly node: GuestNode;
  readonly token: string;
}

/** `unknown`: nothing is revealed. `refused`: the caller has the token of its boot and is told what is wrong. */
type HeartbeatAnswer =
  | { readonly kind: "accepted" }
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly message: string };

interface HeartbeatFrom {
  readonly hostId: string;
  readonly address: string;
  readonly requestId: string;
}

const refused = (message: string): HeartbeatAnswer => ({ kind: "refused", message });

export class GuestServer {
  readonly #options: GuestServerOptions;

  constructor(options: GuestServerOptions) {
    this.#options = options;
  }

  async close(): Promise<void> {
    await this.#options.bridge.close();
  }

  /** Null: there is no such node, as far as the caller is told. */
  async lookup(query: GuestQuery, requestId: string): Promise<GuestResult | null> {
    const found = await this.#options.boots.guestToken(query, requestId);
    return found === null ? null : { node: guestNode(found.hostId, found.hostId), token: found.token };
  }

  /** Whose inventory it is. The inventory is dropped: the bridge asks for one over the connection that the token proves. */
  inspected(query: GuestQuery): Promise<string | null> {
    return this.#options.boots.guestHost(query);
  }

  async heartbeat(from: HeartbeatFrom, body: GuestHeartbeat): Promise<HeartbeatAnswer> {
    const { pool, bridge } = this.#options;
    const [window] = await findGuestWindow(
      pool,
      from.hostId,
      tokenHash(body.agent_token).toString("hex"),
      plainAddress(from.address),
    );
    if (window === undefined) return { kind: "unknown" };
    const { boot_epoch: bootEpoch } = window;
    // safety: guest: nothing of a contested boot, nor before its restart
    if (window.contested || !window.reset_done) return { kind: "unknown" };
    // safety: guest: from the address that its token was given to
    if (!window.at_address) return this.#elsewhere(from, window);
    const { agent_verify_ca: verifyCa } = body;
    const wrong =
      callbackRefusal(body.callback_url, from.address, window.provisioning_networks) ??
      (verifyCa === undefined ? "agent_verify_ca is required" : null);
    if (wrong !== null || verifyCa === undefined)
      return this.#refuse(from, bootEpoch, wrong ?? "agent_verify_ca is required");
    const [noted] = await noteGuest(
      pool,
      from.hostId,
      bootEpoch,
      body.callback_url,
      verifyCa,
      body.agent_version ?? "unknown",
    );
    // safety: guest: one agent has the token of a boot
    if (noted?.callback_url !== body.callback_url || noted.verify_ca !== verifyCa)
      return this.#contest(from, window, body.callback_url);
    bridge.wake({ hostId: from.hostId, bootEpoch });
    return { kind: "accepted" };
  }

  /** Reports it to the agent, which shows it to nobody, and to people who wait for the agent. */
  async #refuse(
    { hostId, address }: HeartbeatFrom,
    bootEpoch: number,
    why: string,
  ): Promise<HeartbeatAnswer> {
    const { pool, wake } = this.#options;
    const told = await noteGuestRefusal(
      pool,
      hostId,
      bootEpoch,
      `Ironic's agent at ${address} is not registered: ${why}`,
    );
    if (told.length > 0) wake();
    return refused(why);
  }

  /** Somebody else has the token. The agent that it was given to goes on undisturbed. */
  async #elsewhere(
    { hostId, address, requestId }: HeartbeatFrom,
    { boot_epoch: bootEpoch, tenant_id: tenantId, bound_to: boundTo }: GuestWindowRow,
  ): Promise<HeartbeatAnswer> {
    const code = "addressChanged";
    await this.#options.audit({
      action: "agent.call",
      code,
      actor: { kind: "agent", id: `${hostId}/${bootEpoch}` },
      hostId,
      tenantId,
      requestId,
      address,
      facts: { from: address, boundTo: boundTo ?? "none" },
    });
    return refused(problems[code].detail);
  }

  async #contest(
    { hostId, address, requestId }: HeartbeatFrom,
    { boot_epoch: bootEpoch, tenant_id: tenantId }: GuestWindowRow,
    callbackUrl: string,
  ): Promise<HeartbeatAnswer> {
    const { pool, audit, wake } = this.#options;
    const message = `a second agent at ${callbackUrl}, or one with another certificate, has the token of this boot`;
    const told = await contestGuest(pool, hostId, bootEpoch, message);
    if (told.length > 0) wake();
    await audit({
      action: "boot.register",
      code: "identityConflict",
      actor: { kind: "agent", id: `${hostId}/${bootEpoch}` },
      hostId,
      tenantId,
      requestId,
      address,
      facts: { callbackUrl, bootEpoch },
    });
    return refused("callback_url and agent_verify_ca must not change in one boot");
  }
}
