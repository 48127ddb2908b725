// How the three kinds of BMC behave differently. What they serve is in their trees.
import { dellTree, lenovoTree } from "@/server/simulator/bmc/captured-trees";
import { genericTree } from "@/server/simulator/bmc/generic/generic-tree";
import type { Tree } from "@/server/simulator/bmc/tree";
import type { HostModelName } from "@/server/simulator/fleet/models";

export interface Personality {
  readonly tree: Tree;
  readonly maxSessions: number;
  /** Status of the answer when a session is deleted. */
  readonly deleteStatus: 200 | 204;
  /** What the answer to a successful PATCH contains. */
  readonly patchAnswer: "message" | "resource" | "nothing";
  /** Whether `$expand` also works on the system, if it is offered at all. iDRAC does not support that (iDRAC9 Redfish API Guide, Query Parameters). */
  readonly expandsSystem: boolean;
  /** A reset that the machine's state does not allow: refused, or acknowledged without effect (seen on real servers). */
  readonly impossibleReset: "refuse" | "acknowledge";
  readonly refusalMessage: { readonly id: string; readonly text: string };
}

/** Built once. Building the trees needs some tens of megabytes for a moment, and keeps a few. */
export function personalities(): Readonly<Record<HostModelName, Personality>> {
  const dell = (model: "dell" | "dellBoss"): Personality => ({
    tree: dellTree(model),
    maxSessions: 8,
    deleteStatus: 200,
    patchAnswer: "message",
    expandsSystem: false,
    impossibleReset: "refuse",
    refusalMessage: {
      id: "IDRAC.2.8.PSU501",
      text: "Unable to perform the operation because the system power state does not allow it.",
    },
  });
  const lenovo = (model: "lenovo" | "lenovoKit"): Personality => ({
    tree: lenovoTree(model),
    maxSessions: 16,
    deleteStatus: 204,
    patchAnswer: "resource",
    expandsSystem: true,
    impossibleReset: "refuse",
    refusalMessage: {
      id: "Base.1.8.ActionNotSupported",
      text: "The action is not supported in the current power state.",
    },
  });
  return {
    dell: dell("dell"),
    dellBoss: dell("dellBoss"),
    lenovo: lenovo("lenovo"),
    lenovoKit: lenovo("lenovoKit"),
    generic: {
      tree: genericTree(),
      maxSessions: 4,
      deleteStatus: 204,
      patchAnswer: "nothing",
      expandsSystem: false,
      impossibleReset: "acknowledge",
      refusalMessage: { id: "Base.1.8.GeneralError", text: "The action could not be carried out." },
    },
  };
}
