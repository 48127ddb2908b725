// How a place where cleaning is left out is named, on the console's banner and in the command.
import type { OverrideScope } from "@/server/domain/cleaning/plan/priorities";

export interface LeftOutPlace {
  readonly scope: OverrideScope;
  /** Null if its site, SKU or host is gone. */
  readonly name: string | null;
  /** The steps that are switched off there. Empty: the whole automated cleaning is. */
  readonly steps: readonly string[];
}

const scopeText = { site: "site", sku: "SKU", host: "host" } as const satisfies Record<OverrideScope, string>;

/** "automated cleaning is off for site a", "deploy.erase_nvme is off for SKU R750". Pure. */
export function formatLeftOut({ scope, name, steps }: LeftOutPlace): string {
  const what =
    steps.length === 0 ? "automated cleaning is" : `${steps.join(", ")} ${steps.length === 1 ? "is" : "are"}`;
  return `${what} off for ${scopeText[scope]} ${name ?? "that was removed"}`;
}
