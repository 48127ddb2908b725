// Names of firmware components that mean the same on every host of a model: a baseline taken from one host is compared with all.

import { nameWithoutAddress } from "@/server/domain/hosts/inventory/name-without-address";

/** Where a component is: iDRAC's ids have the version before the place, as in `Installed-102462-21.80.16.95__NIC.Embedded.1-1-1`. Pure. */
export const placeOfId = (id: string): string => id.split("__").at(-1) || id;

/** Until 0.2.0 a name that several components have was told apart by the whole id, and a MAC address stood in names; baselines were stored with both. */
const ofEarlierRelease = (component: string): string =>
  nameWithoutAddress(component.replace(/ \(([^()]*)\)$/, (_, id: string) => ` (${placeOfId(id)})`));

/** The component with this name. By a name of an earlier release it is found only if just one component can be meant. Pure. */
export function findComponent<Row extends { readonly component: string }>(
  rows: readonly Row[],
  component: string,
): Row | undefined {
  const exact = rows.find((row) => row.component === component);
  if (exact !== undefined) return exact;
  const meant = rows.filter((row) => ofEarlierRelease(row.component) === ofEarlierRelease(component));
  return meant.length === 1 ? meant[0] : undefined;
}

/** The name without what tells it apart from others of its kind, in this release and in earlier ones. Pure. */
export const kindOfComponent = (component: string): string =>
  nameWithoutAddress(component.replace(/ \([^()]*\)$/, ""));
