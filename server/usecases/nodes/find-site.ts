// The site of a new node: a conductor group is a site's name (docs/api-ironic.md).
import type { Transaction } from "@/server/db/prisma";
import type { Found } from "@/server/usecases/define-act";

/** Null where there is none of that name. Its value is null where there are several and none was named. */
export async function findSite(tx: Transaction, conductorGroup: string): Promise<Found<{ readonly id: string; readonly name: string } | null> | null> {
  const belongs = { tenantId: null };
  const sites = await tx.site.findMany({ ...(conductorGroup === "" ? {} : { where: { name: { equals: conductorGroup, mode: "insensitive" } } }), select: { id: true, name: true }, take: 2 });
  const [first, second] = sites;
  if (first === undefined) return null;
  return second === undefined ? { id: first.id, belongs, value: first } : { id: "", belongs, value: null };
}
