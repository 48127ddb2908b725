// A host's own row: where it is in its life, and what it waits for. What a decision reads of it, and what it writes.
import { z } from "zod";
import { command } from "@/server/domain/agents/protocol";
import {
  counter,
  flag,
  float,
  int,
  json,
  oneOf,
  state,
  text,
  time,
  trusted,
  uuid,
} from "@/server/domain/host-record/column";
import type { Frozen } from "@/server/domain/host-record/column";
import { storedContext } from "@/server/domain/lifecycle/context";

/** Who set a host's maintenance. What a failure set ends with the failure; a person's ends by a person. */
export const maintenanceSetters = ["failure", "person"] as const;

/** Read and written. */
const both = {
  state: state(),
  context: json(storedContext),
  lastError: text().nullable(),
  bootEpoch: int(),
  maintenance: flag(),
  maintenanceBy: oneOf(maintenanceSetters).nullable(),
  maintenanceReason: text().nullable(),
  allocatable: flag(),
  /** Somebody may have touched the machine since the boot was ordered in which its content was read. */
  touched: flag(),
  erasing: flag(),
  /** The newest reclamation, ended or not. */
  reclamationId: uuid().nullable(),
};

export const runView = z.object({
  hostId: uuid(),
  siteId: uuid(),
  name: text(),
  stateSinceMs: time(),
  generation: counter(),
  wakeSeq: counter(),
  evidenceSeq: counter(),
  /** What touched it, in words; null: maintenance. */
  touchedReason: text().nullable(),
  /** How far the running step is, as shown; null: it has not told. */
  cleanPercent: float().nullable(),
  ...both,
});
export type RunView = Frozen<z.infer<typeof runView>>;

export const runWrite = z.object({
  ...both,
  waitReason: text().nullable(),
  /** Null: only a signal wakes it. */
  dueAtMs: time().nullable(),
  limitAtMs: time().nullable(),
  instanceId: uuid().nullable(),
  tenantId: uuid().nullable(),
  cleanStep: text().nullable(),
  commandEpoch: int().nullable(),
  /** A host that boots is told to wait, and never to go on to its disks. */
  bootHeld: flag(),
  /** `undefined` keeps the command that the agent has. */
  command: json(command).nullable().optional(),
  /** How far a step of the controller is; `undefined` keeps what is shown. An agent's own reports write it themselves. */
  cleanProgress: trusted<{ readonly percent: number | null; readonly message: string }>().optional(),
});
export type RunWrite = Frozen<z.infer<typeof runWrite>>;
