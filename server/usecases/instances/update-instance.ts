// Changes the tenant's own description of its instance: name, description, labels. The host is not affected.
import { instances as contract } from "@/server/contract/instances/instances";
import { isUniqueViolation } from "@/server/db/transaction";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { nameTaken } from "@/server/usecases/instances/claim-host";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";

interface OwnText {
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

const factsOf = ({ name, description, labels }: OwnText) => ({
  name,
  description,
  labels: labelLines(labels),
});

/** An ended instance is not found. */
export const updateInstance = defineAct({
  ...contract.update,
  names: ({ instanceId }) => ({ kind: "instance", id: instanceId }),
  find: async ({ tx }, { instanceId: id }) => {
    const found = await tx.instance.findFirst({ where: { id, endedAt: null } });
    return found === null ? null : { id, belongs: { tenantId: found.tenantId }, value: found };
  },
  run: async ({ tx }, found, { instanceId: id, ...input }) => {
    const { tenantId, hostId } = found;
    const old: OwnText = { ...found, labels: readLabels(found.labels) };
    const wanted: OwnText = {
      name: input.name ?? old.name,
      description: input.description === undefined ? old.description : input.description,
      labels: input.labels ?? old.labels,
    };
    const [before, after] = [factsOf(old), factsOf(wanted)];
    if (JSON.stringify(before) === JSON.stringify(after)) return unchanged({ id, changed: false });
    try {
      await tx.instance.update({ where: { id }, data: { ...wanted, updatedAt: new Date() } });
    } catch (error) {
      if (isUniqueViolation(error)) return nameTaken(wanted.name);
      throw error;
    }
    return acted({
      value: { id, changed: true },
      targetId: id,
      tenantId,
      before,
      after,
      tell: { feed: [{ hostId, tenantId, what: "instance" }] },
    });
  },
});
