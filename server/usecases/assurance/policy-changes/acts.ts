// The acts that become a request at sites that need two people, to be carried out when another person approves (docs/adr/0112-policy-changes-by-two-people.md).
import type { AskingAction } from "@/server/domain/sites/two-people";
import { removeProcedure, saveProcedure } from "@/server/usecases/assurance/site-procedures";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { setSiteErase } from "@/server/usecases/cleaning/policy/set-site-erase";
import type { InnerAct } from "@/server/usecases/define-act";
import { addImage } from "@/server/usecases/cleaning/images/add-image";
import { applySite } from "@/server/usecases/sites/apply-site";
import { finishRollout } from "@/server/usecases/hosts/rollouts/finish-rollout";
import {
  captureSkuBaseline,
  changeSku,
  createSku,
  createSkuFromHost,
  removeSku,
} from "@/server/usecases/hosts/skus/sku-acts";

export const askingActs: Readonly<Record<AskingAction, Pick<InnerAct<never, unknown>, "right" | "within">>> =
  {
    "site.apply": applySite,
    "site.setErase": setSiteErase,
    "site.setAdmission": setSiteAdmission,
    "site.setAutomatedClean": setSiteAutomatedClean,
    "host.setAutomatedClean": setHostAutomatedClean,
    "procedure.save": saveProcedure,
    "procedure.remove": removeProcedure,
    "override.save": saveOverride,
    "override.remove": removeOverride,
    "image.add": addImage,
    "sku.create": createSku,
    "sku.createFromHost": createSkuFromHost,
    "sku.change": changeSku,
    "sku.captureBaseline": captureSkuBaseline,
    "sku.remove": removeSku,
    "rollout.finish": finishRollout,
  };
