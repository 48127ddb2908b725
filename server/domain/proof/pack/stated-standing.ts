// TEMPORARY
import type { Standing } from "@/server/domain/assurance/standing";
import { isWhole } from "@/server/domain/certificates/statement";
import type { AnyStatement } from "@/server/domain/certificates/statement";

export function statedStanding(said: AnyStatement): Standing {
  const type = isWhole(said) ? said.predicate.certificate.type : said.predicate.certificate.type;
  if (type === "certificate") return "proven";
  if (type === "withExceptions") return "provenWithExceptions";
  return type === "demo" ? "provenWithExceptions" : "notProven";
}
