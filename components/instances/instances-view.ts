// What the URL of the instances page holds: which instances are shown, and which one is expanded.
import { routes } from "@/server/domain/console/routes";

export const instanceSets = ["open", "ended", "all"] as const;
export type InstanceSet = (typeof instanceSets)[number];

export const instanceSetLabels = {
  open: "Held now",
  ended: "Released",
  all: "All",
} as const satisfies Record<InstanceSet, string>;

export interface InstancesView {
  show: InstanceSet;
  /** The expanded instance. */
  open: string | null;
}

/** The most that the contract gives at once: filter and order load every page. */
const instancesPageSize = 200;

export function parseInstancesView(search: { get: (name: string) => string | null }): InstancesView {
  return { show: instanceSets.find((set) => set === search.get("show")) ?? "open", open: search.get("open") };
}

export const instancesHref = ({ show, open }: InstancesView): string =>
  routes.instances({ show, open: open ?? undefined });

/** The list's input for a view, shared by the server's prefetch and the browser. */
export const instancesQuery = ({ show }: InstancesView) => ({ status: show, limit: instancesPageSize });
