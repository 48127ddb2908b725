// What the URL of the instances page holds: which instances are shown, and which one is open.
import { routes } from "@/server/domain/console/routes";

export const instanceSets = ["open", "ended", "all"] as const;
export type InstanceSet = (typeof instanceSets)[number];

export const instanceSetWords = { open: "Held now", ended: "Released", all: "All" } as const satisfies Record<
  InstanceSet,
  string
>;

export interface InstancesView {
  show: InstanceSet;
  /** The instance whose history is shown. */
  open: string | null;
}

export const instancesPageSize = 100;

export function parseInstancesView(search: { get: (name: string) => string | null }): InstancesView {
  return { show: instanceSets.find((set) => set === search.get("show")) ?? "open", open: search.get("open") };
}

export const instancesHref = ({ show, open }: InstancesView): string =>
  routes.instances({ show, open: open ?? undefined });

/** The input of the list for a view: the same on the server, which reads ahead, and in the browser. */
export const instancesQuery = ({ show }: InstancesView) => ({ status: show, limit: instancesPageSize });
