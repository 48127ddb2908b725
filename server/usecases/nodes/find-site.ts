// The site of a new node: a conductor group is a site's name (docs/api-ironic.md).
import type { RawReader } from "@/server/db/raw-transaction";
import type { Found } from "@/server/usecases/define-act";

interface Site {
  readonly id: string;
  readonly name: string;
}

/** Null where there is none of that name. Its value is null where there are several and none was named. */
export async function findSite(tx: RawReader, conductorGroup: string): Promise<Found<Site | null> | null> {
  const belongs = { tenantId: null };
  const [first, second] = await tx.$queryRaw<
    Site[]
  >`SELECT id::text, name FROM site WHERE ${conductorGroup} = '' OR lower(name) = lower(${conductorGroup}) ORDER BY name LIMIT 2`;
  if (first === undefined) return null;
  return second === undefined ? { id: first.id, belongs, value: first } : { id: "", belongs, value: null };
}
