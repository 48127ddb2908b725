// For tests that ask every read of the contract: inputs, each of which some read takes.
import { randomUUID } from "node:crypto";
import type { World } from "@/server/usecases/testing/world";

/** Of the hosts, the enrolment and the site of a world. @param document a site document */
export async function readInputs(
  { backend: { database }, siteId, actor }: World,
  document: string,
): Promise<readonly unknown[]> {
  const hosts = await database.host.findMany({ select: { id: true, name: true } });
  const enrolment = await database.enrolment.findFirst({ select: { id: true } });
  const notes = await database.groupNote.findMany({ select: { digest: true } });
  const { personId } = actor("provider-admin");
  const ids = [...hosts.map(({ id }) => id), enrolment?.id ?? randomUUID()];
  return [
    undefined,
    {},
    { site: "a" },
    { site: "a", limit: 50 },
    { site: "a", version: 1 },
    { site: "a", version: 2 },
    { site: "a", from: 1 },
    { siteId },
    { siteId, limit: 100 },
    { siteId, name: "drain" },
    { siteId, when: {} },
    { document },
    { personId },
    { text: "node" },
    { text: "planted" },
    { filter: "" },
    { filter: "node" },
    { sku: "SKU" },
    { number: "R-1" },
    { ticket: "BF-0000000000" },
    { recordId: randomUUID() },
    { brakeId: randomUUID() },
    ...[...notes.map(({ digest }) => digest), "0".repeat(64)].map((key) => ({ key })),
    { rollout: randomUUID() },
    { kind: "site", siteId },
    { kind: "hardwareType", hardwareType: "redfish" },
    ...hosts.flatMap(({ id, name }) => [
      { host: name },
      { name },
      { hostId: id },
      { hostIds: [id] },
      { hostId: id, intent: "manage" },
      { kind: "host", host: name },
    ]),
    ...ids.flatMap((id) => [{ id }, { of: "host", id }]),
    { target: { filter: "" }, intent: "manage" },
    { hostIds: ids, steps: [{ interface: "power", step: "reboot" }] },
    { scope: "site", scopeId: siteId, interface: "deploy", step: "erase_nvme", priority: 5 },
  ];
}
