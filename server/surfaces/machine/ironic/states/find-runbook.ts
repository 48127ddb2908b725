// A runbook by its UUID or its name.
import { z } from "zod";
import type { Backend } from "@/server/usecases/backend";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";

const uuid = z.uuid();

/** Throws 404. */
export async function findRunbookId({ database }: Backend, ident: string): Promise<string> {
  const found = await database.runbook.findUnique({
    where: uuid.safeParse(ident).success ? { id: ident } : { name: ident },
    select: { id: true },
  });
  if (found === null) throw fault(404, `Runbook ${ident.slice(0, 255)} could not be found.`);
  return found.id;
}
