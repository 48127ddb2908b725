// Each act that changes a site, as tests of changes by two people do it.
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import type { AskingAction } from "@/server/domain/sites/two-people";
import type { Actor } from "@/server/usecases/actor";
import { removeProcedure, saveProcedure } from "@/server/usecases/assurance/site-procedures";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { setSiteErase } from "@/server/usecases/cleaning/policy/set-site-erase";
import { addImage } from "@/server/usecases/cleaning/images/add-image";
import { changesOf, reason, sitesOf } from "@/server/usecases/assurance/policy-changes/testing/site-changes";
import type { Outcome } from "@/server/usecases/problem";
import { changeSku, createSku, removeSku } from "@/server/usecases/hosts/skus/sku-acts";
import type { World } from "@/server/usecases/testing/world";

export const sku = { name: "R750", components: skuComponents, priorities: {}, reason };

const runIn =
  (world: () => World) =>
  <Input>(
    act: (
      backend: World["backend"],
      actor: Actor,
      request: ReturnType<World["request"]>,
      input: Input,
    ) => Promise<Outcome<unknown>>,
    input: () => Input | Promise<Input>,
  ) =>
  async () =>
    act(world().backend, sitesOf(world).asker(), world().request(), await input());

/** @param world exists once the tests run */
export function actsOf(world: () => World) {
  const { policyNow } = sitesOf(world);
  const { limit, limits } = changesOf(world);
  const run = runIn(world);
  const siteId = () => world().siteId;
  const at = () => ({ scope: "site" as const, scopeId: siteId(), interface: "deploy", step: "erase_nvme" });

  /** In this order, so that what is removed exists. The two acts that read a host, and the end of a rollout, use the same tables as `sku.create` and `sku.change`. */
  const acts: Record<
    Exclude<AskingAction, "sku.createFromHost" | "sku.captureBaseline" | "rollout.finish">,
    () => Promise<Outcome<unknown>>
  > = {
    "site.apply": () => limit(60_000),
    "site.setErase": run(setSiteErase, async () => {
      const { standard, minimum, erase } = (await policyNow()).sanitization;
      const { techniques } = erase;
      return {
        siteId: siteId(),
        reason,
        erase: { standard, minimum, techniques, fallback: !erase.fallback },
      };
    }),
    "site.setAdmission": run(setSiteAdmission, () => limits(4)),
    "site.setAutomatedClean": run(setSiteAutomatedClean, () => ({ siteId: siteId(), automatedClean: false })),
    "host.setAutomatedClean": run(setHostAutomatedClean, async () => ({
      ...{ hostId: await world().host("left-out"), automatedClean: false },
    })),
    "procedure.save": run(saveProcedure, () => {
      const { version: _, ...procedure } = testProcedure();
      return { siteId: siteId(), procedure, reason };
    }),
    "procedure.remove": run(removeProcedure, () => ({ siteId: siteId(), name: "full-ac-drain", reason })),
    "override.save": run(saveOverride, () => ({ ...at(), priority: 77 })),
    "override.remove": run(removeOverride, at),
    "image.add": run(addImage, () => ({
      ...{ siteId: siteId(), version: "9.1", url: "https://images.test/agent", hosts: 3 },
    })),
    "sku.create": run(createSku, () => sku),
    "sku.change": run(changeSku, () => ({
      ...sku,
      sku: "R750",
      components: { ...skuComponents, infiniband: 7 },
    })),
    "sku.remove": run(removeSku, () => ({ sku: "R750", reason })),
  };
  return { at, acts };
}
