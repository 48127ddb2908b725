// What names an override: a step, at a site, a SKU or a host.
import { z } from "zod";
import { overrideScopes } from "@/server/domain/cleaning/priorities";

export const overrideName = {
  scope: z.enum(overrideScopes),
  scopeId: z.uuid("must be the id of a site, SKU or host"),
  interface: z.string().min(1).max(32),
  step: z.string().min(1).max(64),
};
