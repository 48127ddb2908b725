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
import { storedHealth } from "@/server/domain/health/acting";
import { storedContext } from "@/server/domain/lifecycle/context";

/** Who set a host's maintenance. What a failure set ends with the failure; a person's ends by a person. */
export const maintenanceSetters = ["failure", "person"] as const;

/** Read, and written with each decision. */
const replaced = {
  state: state(),
  context: json(storedContext),
  lastError: text().nullable(),
  bootEpoch: int(),
  /** The newest reclamation, ended or not. */
  reclamationId: uuid().nullable(),
};

/** Read, and written where the decision changed it and nobody else may have. */
const guarded = {
  maintenance: flag(),
  maintenanceBy: oneOf(maintenanceSetters).nullable(),
  maintenanceReason: text().nullable(),
  allocatable: flag(),
  /** Somebody may have touched the machine since the boot was ordered in which its content was read. */
  touched: flag(),
  erasing: flag(),
};

/** What a decision reads and writes. A verb of `RunChanges` that changes one finds it there by its name. */
export const runKept = z.object({ ...replaced, ...guarded });
export type RunKept = Frozen<z.infer<typeof runKept>>;

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
  /** What of its health reports acts on decisions; null: nothing is reported. Written by who writes a report, never by a decision. */
  health: json(storedHealth).nullable(),
  /** How far the running step is, as shown; null: it has not told. */
  cleanPercent: float().nullable(),
  ...runKept.shape,
});
export type RunView = Frozen<z.infer<typeof runView>>;

/** What the row becomes, whatever it was. */
export const runReplaced = z.object({
  ...replaced,
  waitReason: text().nullable(),
  limitAtMs: time().nullable(),
  instanceId: uuid().nullable(),
  tenantId: uuid().nullable(),
  cleanStep: text().nullable(),
  /** A host that boots is told to wait, and never to go on to its disks. */
  bootHeld: flag(),
});

export const runWrite = z.object({
  ...runReplaced.shape,
  ...guarded,
  /** Null: only a signal wakes it. */
  dueAtMs: time().nullable(),
  commandEpoch: int().nullable(),
  /** `undefined` keeps the command that the agent has. */
  command: json(command).nullable().optional(),
  /** How far a step of the controller is; `undefined` keeps what is shown. An agent's own reports write it themselves. */
  cleanProgress: trusted<{ readonly percent: number | null; readonly message: string }>().optional(),
});
export type RunWrite = Frozen<z.infer<typeof runWrite>>;
