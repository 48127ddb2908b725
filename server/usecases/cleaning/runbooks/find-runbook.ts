// A runbook by its id or its name.
import { z } from "zod";
import type { Database } from "@/server/db/prisma";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const uuid = z.uuid();

/** The id of the runbook. */
export async function findRunbookId(database: Database, ident: string): Promise<Outcome<string>> {
  const found = await database.runbook.findUnique({
    where: uuid.safeParse(ident).success ? { id: ident } : { name: ident },
    select: { id: true },
  });
  return found === null ? notFound("runbook", ident) : done(found.id);
}
