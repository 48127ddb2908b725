// External programs with one token each, for one site or for all: health sources and repair systems.
import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/prisma";
import { isUniqueViolation } from "@/server/db/transaction";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import { isUuid } from "@/server/domain/uuid";
import type { ActContext, Change, Target } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { acted } from "@/server/usecases/define-act";

/** The hosts that a program may name. */
export interface ProgramReach {
  /** Null for hosts of every site. */
  readonly siteId: string | null;
}

/** A host by id or name, if it is at the program's site; null otherwise. */
export async function findHostInReach(
  database: Database,
  { siteId }: ProgramReach,
  host: string,
): Promise<string | null> {
  const found = await database.host.findFirst({
    where: {
      ...(isUuid(host) ? { id: host } : { name: host }),
      ...(siteId === null ? {} : { siteId }),
    },
    select: { id: true },
  });
  return found?.id ?? null;
}

const usedEveryMs = 60_000;

/** Records the use of a token, at most once a minute: a write per request would cost more than most requests. */
export async function noteUse(
  lastUsedAt: Date | null,
  write: (data: { readonly lastUsedAt: Date }) => Promise<unknown>,
): Promise<void> {
  const now = new Date();
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > usedEveryMs)
    await write({ lastUsedAt: now });
}

interface Added {
  readonly name: string;
  readonly site: string | null;
}

/** For acts that add a program: finds the id of its site, or null for every site. */
export const addingProgram = {
  names: ({ site }: Added) => ({ kind: "site", id: site ?? "" }),
  find: async ({ tx }: ActContext, { site, name }: Added): Promise<Target<string | null> | null> => {
    const found =
      site === null ? null : await tx.site.findUnique({ where: { name: site }, select: { id: true } });
    return site !== null && found === null
      ? null
      : { id: name, belongs: { tenantId: null }, value: found?.id ?? null };
  },
};

/** A new token, and the row of the program that gets it. @param prefix says what kind of token it is, if it turns up where it does not belong */
export function freshProgram(prefix: string, of: { name: string; siteId: string | null; by: string }) {
  const token = `${prefix}${newToken()}`;
  const id = randomUUID();
  const { name, siteId, by } = of;
  return {
    data: { id, name, siteId, hash: tokenHash(token), createdBy: by },
    /** The result of the act, and what the audit log records. */
    added: (after: Change["after"]) =>
      acted({ value: { id, name, token }, targetId: name, tenantId: null, before: null, after }),
  };
}

/** Writes the row of a new program; undefined on success. @param taken the message if the name is taken */
export async function writeProgram(
  write: () => Promise<unknown>,
  taken: string,
): Promise<Outcome<never> | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (isUniqueViolation(error)) return refused("conflict", taken, "name");
    throw error;
  }
}

/** Records in the audit log that the token was replaced. */
export const tokenReplaced = (name: string): readonly Change[] => [
  { targetId: name, tenantId: null, before: null, after: { token: "replaced" } },
];
