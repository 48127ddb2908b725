// Creates a node: a host in Enroll of which only the driver needs to be known. What its BMC reports at Verifying is learned there.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { nodeBmc, nodeFields } from "@/server/domain/hosts/nodes/node-values";
import { systemOfDriverInfo } from "@/server/domain/hardware/bmc-system";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { fakeHostColumns, mayEnrollFake } from "@/server/usecases/hosts/fake-hosts";
import { acted, defineSqlAct } from "@/server/usecases/define-act";
import { findSite } from "@/server/usecases/hosts/nodes/find-site";
import { insertNode } from "@/server/usecases/hosts/nodes/insert-node";
import { auditFactsOf } from "@/server/usecases/hosts/nodes/node-columns";
import { refusedByOne, refusedField } from "@/server/usecases/hosts/nodes/refused-fields";
import { taken } from "@/server/usecases/hosts/nodes/taken";
import { done, refused } from "@/server/usecases/problem";

export const createNodeInput = z.strictObject({
  /** Null for a new one. */
  id: z.guid().nullable(),
  /** Name of the site; empty for the only one. */
  conductorGroup: z.string().max(255),
  fields: nodeFields,
  bmc: nodeBmc,
});

export const createNode = defineSqlAct({
  action: "node.create",
  right: "host.enroll",
  input: createNodeInput,
  names: ({ conductorGroup }) => ({ kind: "site", id: conductorGroup }),
  find: ({ tx }, { conductorGroup }) => findSite(tx, conductorGroup),
  run: async ({ tx, secrets, actor, fakeHardware }, site, { id, conductorGroup, fields, bmc }) => {
    const hostId = id?.toLowerCase() ?? randomUUID();
    if (site === null)
      return refused(
        "invalid",
        "There are several sites: set conductor_group to one of them.",
        "conductor_group",
      );
    const fake = isFake(fields);
    const may = fake ? mayEnrollFake({ fakeHardware }) : done(null);
    if (!may.ok) return may;
    const unset = { automatedClean: null };
    const problem = refusedField(actor, fields, unset) ?? (await refusedByOne(tx, site.id, fields, unset));
    if (problem !== null) return { ok: false, problem };
    const conflict = await taken(tx, hostId, {
      id: hostId,
      name: fields.name,
      bmcAddress: bmc.address,
      bmcSystem: systemOfDriverInfo(fields.driverInfo),
      instanceName: fields.instanceName,
      parentNode: fields.parentNode,
    });
    if (conflict !== null) return { ok: false, problem: conflict };
    const name = fields.name ?? hostId;
    const password =
      bmc.password == null ? null : secrets.seal(bmc.password, secretPlaces.bmcPassword(hostId));
    try {
      await insertNode(tx, {
        hostId,
        siteId: site.id,
        conductorGroup,
        fields,
        bmc,
        password,
        identity: fake ? fakeHostColumns(hostId) : null,
      });
    } catch (error) {
      if (isUniqueViolation(error))
        return refused("conflict", "A node with this name, UUID or address was created at the same time.");
      throw error;
    }
    return acted({
      value: { hostId },
      targetId: hostId,
      tenantId: null,
      before: null,
      after: auditFactsOf({ ...fields, name, siteId: site.id, bmcAddress: bmc.address }),
      tell: { feed: [{ hostId, tenantId: null, what: "enrolled" }] },
    });
  },
});
