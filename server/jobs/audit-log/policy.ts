// The deployment's policy of witnesses, from its file (docs/security.md#witnesses).
import { readFileSync } from "node:fs";
import { ConfigError } from "@/server/config";
import { parsePolicy } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";

/** @param file undefined: there is none. Throws ConfigError: a log that others should watch must not silently go unwatched. */
export function readAuditPolicy(file: string | undefined): Policy | undefined {
  if (file === undefined) return undefined;
  const refuse = (message: string): ConfigError =>
    new ConfigError([{ variable: "RECLAIM_AUDIT_POLICY", message }]);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parsePolicy(text);
  if (parsed.ok) return parsed.policy;
  throw refuse(`names ${file}, which is no policy: ${parsed.why}`);
}
