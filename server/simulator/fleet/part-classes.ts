// What the SKU of each kind of machine says of its parts.
import { proposedParts } from "@/server/domain/hosts/parts/sku-parts";
import type { SkuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import { partKinds } from "@/server/domain/hosts/parts/part";
import { models, type HostModel, type HostModelName } from "@/server/simulator/fleet/models";

function classesOf({ parts, drives }: HostModel): SkuPartClasses {
  const found = parts.map(({ capturedSerial: _, ...part }) => part);
  const storage = drives.map(({ identity }) => ({
    ...{ serial: "", model: identity.model, media: "nvme" as const, transport: "nvme" as const },
    ...{ capacityBytes: "0", removable: false },
  }));
  return proposedParts({ parts: { told: [...partKinds], untold: [], found }, storage }) ?? {};
}

export const partClasses: Readonly<Record<HostModelName, SkuPartClasses>> = {
  dell: classesOf(models.dell),
  lenovo: classesOf(models.lenovo),
  generic: classesOf(models.generic),
  dellBoss: classesOf(models.dellBoss),
  lenovoKit: classesOf(models.lenovoKit),
};
