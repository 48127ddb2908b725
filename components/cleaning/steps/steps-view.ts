// What the URL of the catalogue holds: which subject it is for.
import type { CleaningScopes } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

export type StepsView =
  | { readonly kind: "site"; readonly siteId: string }
  | { readonly kind: "sku"; readonly skuId: string; readonly siteId?: string }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "hardwareType"; readonly hardwareType: string; readonly siteId?: string };

/** Defaults to the first site; null if there is no site. */
export function parseStepsView(
  search: { get: (name: string) => string | null },
  { sites }: Pick<CleaningScopes, "sites">,
): StepsView | null {
  const host = search.get("host");
  if (host !== null && host !== "") return { kind: "host", host };
  const siteId = search.get("site");
  const site = siteId === null ? {} : { siteId };
  const skuId = search.get("sku");
  if (skuId !== null) return { kind: "sku", skuId, ...site };
  const hardwareType = search.get("hardware");
  if (hardwareType !== null) return { kind: "hardwareType", hardwareType, ...site };
  const chosen = siteId ?? sites[0]?.id;
  return chosen === undefined ? null : { kind: "site", siteId: chosen };
}

export function stepsHref(view: StepsView): string {
  switch (view.kind) {
    case "host":
      return routes.cleaning.steps({ host: view.host });
    case "site":
      return routes.cleaning.steps({ site: view.siteId });
    case "sku":
      return routes.cleaning.steps({ sku: view.skuId, site: view.siteId });
    case "hardwareType":
      return routes.cleaning.steps({ hardware: view.hardwareType, site: view.siteId });
  }
}
