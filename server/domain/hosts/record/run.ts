// A host's own row, with its lifecycle state and what it waits for: what a decision reads of it and writes to it.
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
} from "@/server/domain/hosts/record/column";
import type { Frozen } from "@/server/domain/hosts/record/column";
import { storedHealth } from "@/server/domain/repair/health/acting";
import { storedContext } from "@/server/domain/lifecycle/context";

/** Who set a host's maintenance. Maintenance set by a failure ends with the failure; a person's must be ended by a person. */
export const maintenanceSetters = ["failure", "person"] as const;

/** Read, and written with every decision. */
const replaced = {
  state: state(),
  context: json(storedContext),
  lastError: text().nullable(),
  bootEpoch: int(),
  /** The latest reclamation, ended or not. */
  reclamationId: uuid().nullable(),
};

/** Read, and written only if the decision changed it and nobody else may have. */
const guarded = {
  maintenance: flag(),
  maintenanceBy: oneOf(maintenanceSetters).nullable(),
  maintenanceReason: text().nullable(),
  allocatable: flag(),
  /** Somebody may have touched the machine since the boot in which its content was read was ordered. */
  touched: flag(),
  erasing: flag(),
};

/** What a decision both reads and writes. The verbs of `RunChanges` use the same names. */
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
  /** What touched it, as text; null: maintenance. */
  touchedReason: text().nullable(),
  /** The part of its health reports that affects decisions; null: no reports. Written together with reports, never by a decision. */
  health: json(storedHealth).nullable(),
  /** Progress of the running step as shown; null: not reported. */
  cleanPercent: float().nullable(),
  ...runKept.shape,
});
export type RunView = Frozen<z.infer<typeof runView>>;

/** The new value of the row, whatever it was before. */
export const runReplaced = z.object({
  ...replaced,
  waitReason: text().nullable(),
  limitAtMs: time().nullable(),
  instanceId: uuid().nullable(),
  tenantId: uuid().nullable(),
  cleanStep: text().nullable(),
  /** A booting host is told to wait and not to continue to its disks. */
  bootHeld: flag(),
});

export const runWrite = z.object({
  ...runReplaced.shape,
  ...guarded,
  /** Null: only a signal wakes the host. */
  dueAtMs: time().nullable(),
  commandEpoch: int().nullable(),
  /** `undefined`: the agent keeps its current command. */
  command: json(command).nullable().optional(),
  /** Progress of a controller step; `undefined` leaves what is shown. Agents' reports are written directly. */
  cleanProgress: trusted<{ readonly percent: number | null; readonly message: string }>().optional(),
});
export type RunWrite = Frozen<z.infer<typeof runWrite>>;
