// A node's fields as table columns: what Reclaim acts on or shows is in `host`, the rest in `node_record`.
import canonicalize from "canonicalize";
import { pick } from "@/server/domain/pick";
import { systemOfDriverInfo } from "@/server/domain/hardware/bmc-system";
import { maskSecrets } from "@/server/domain/hosts/nodes/masking";
import type { NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { AuditFacts } from "@/server/db/audit";

/** The columns of `host` with the same name as the field. */
const inHost = [
  "description",
  "owner",
  "lessee",
  "resourceClass",
  "protected",
  "protectedReason",
  "retired",
  "retiredReason",
  "automatedClean",
  "hardwareType",
] as const satisfies readonly (keyof NodeFields)[];

const inRecord = [
  "shard",
  "instanceName",
  "parentNode",
  "disablePowerOff",
  "properties",
  "extra",
  "instanceInfo",
  "networkData",
  "driverInfo",
  "interfaces",
] as const satisfies readonly (keyof NodeFields)[];

/** Columns of `host`. A node without a name is named by its id. */
export const hostColumns = (hostId: string, fields: NodeFields) => ({
  name: fields.name ?? hostId,
  ...pick(fields, inHost),
  bmcSystem: systemOfDriverInfo(fields.driverInfo),
});

/** Columns of `node_record`. */
export const recordColumns = (fields: NodeFields) => pick(fields, inRecord);

/** The fields of `to` that differ from `from`. */
export function changedFields(from: NodeFields, to: NodeFields): Partial<NodeFields> {
  const values = new Map<string, unknown>(Object.entries(from));
  return Object.fromEntries(
    Object.entries(to).filter(([name, value]) => canonicalize(value) !== canonicalize(values.get(name))),
  );
}

/** Data that clients store for themselves or their tenants: the audit log records that it changed, but never the content. */
const unlogged: ReadonlySet<string> = new Set(["instanceInfo", "extra"]);

/** For the audit log: objects as text, with secrets masked, truncated if long. */
export const auditFactsOf = (fields: object): AuditFacts =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      unlogged.has(name) ? "not recorded" : auditFact(value),
    ]),
  );

const auditFact = (value: unknown): AuditFacts[string] =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : JSON.stringify(maskSecrets(value)).slice(0, 2_000);
