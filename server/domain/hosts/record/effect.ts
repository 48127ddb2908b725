// Calls to hardware and network that decisions requested, with their outcomes (docs/design/datapath.md#effects).
import { z } from "zod";
import { counter, json, oneOf, time, uuid } from "@/server/domain/hosts/record/column";

export const effectKinds = [
  "verify",
  "bootAgent",
  "lookBoot",
  "bootDisk",
  "readSystem",
  "network",
  "step",
  "power",
  "leftovers",
] as const;
export type EffectKind = (typeof effectKinds)[number];

export const effectStatuses = ["written", "permitted", "done", "failed", "unknown"] as const;

export const effectView = z.object({
  id: uuid(),
  kind: oneOf(effectKinds),
  status: oneOf(effectStatuses),
  generation: counter(),
  request: json(z.unknown()),
  result: json(z.unknown()),
  /** When its outcome was stored; null while it is in progress, or if it was lost. */
  settledAtMs: time().nullable(),
});
export type EffectView = Readonly<z.infer<typeof effectView>>;
