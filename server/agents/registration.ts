// A registration: retried while another one was in progress, and what each verdict means for the agent and the host.
import type { Pool } from "pg";
import type { RegisterBody } from "@/server/domain/agents/protocol";
import { askedBy, hex, type Caller } from "@/server/agents/calls";
import type { RefusalCode } from "@/server/domain/problems";
import { tokenHash } from "@/server/domain/access/tokens";
import { registerAgent, type RegisterRow } from "@/server/db/hot/agent/register";

const tries = 4;

/** What the agent is told; null: it is registered. */
export const refusalOf = {
  elsewhere: "addressChanged",
  expired: "unauthorized",
  used: "bootTokenUsed",
  conflict: "identityConflict",
  early: "bootNotRestarted",
  contested: "bootContested",
  again: "registeredMeanwhile",
  new: null,
  repeat: null,
} as const satisfies Record<RegisterRow["verdict"], RefusalCode | null>;

/** Whether the host should be looked at now. */
export const tellsHost = (verdict: RegisterRow["verdict"]): boolean =>
  verdict === "conflict" || verdict === "early" || verdict === "new";

/** Null: the token belongs to no boot window. */
export async function registerOnce(
  pool: Pool,
  caller: Caller,
  machineUrl: string,
  body: RegisterBody,
  sessionToken: string,
): Promise<RegisterRow | null> {
  const { systemUuid, serial, macs } = body.identity;
  const identity = { systemUuid: systemUuid.toLowerCase(), serial, macs: [...macs].sort() };
  const moved = `an agent at ${caller.address} tried to register with the boot token that another address was given`;
  const conflict = `an agent on serial ${serial === "" ? "(none)" : serial}, UUID ${systemUuid} asked to register in this boot`;
  for (let count = 1; ; count += 1) {
    const row = await registerAgent(pool, {
      ...askedBy(caller, machineUrl),
      session_token: hex(tokenHash(sessionToken)),
      system_uuid: systemUuid,
      serial,
      identity,
      run: body.run === undefined ? null : hex(tokenHash(body.run)),
      agent_version: body.agentVersion,
      hardware_managers: body.hardwareManagers,
      inventory: body.inventory,
      conflict,
      moved,
    });
    if (row === undefined) return null;
    if (row.verdict !== "again" || count === tries) return row;
  }
}
