// The checks of a BMC: what Reclaim needs of it, and what it can do besides (docs/hardware.md#checks). The page, the API and the command read this one list.
import { z } from "zod";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

/**
 * `failed`: the BMC answered, and it does not work. `notOffered`: the BMC has no such thing, and a host can do without. `notKnown`: the answer is missing or
 * does not tell. `notMade`: an earlier check has not passed.
 */
export const checkStatuses = ["passed", "failed", "notOffered", "notKnown", "notMade"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

interface CheckRow {
  readonly label: string;
  /** A host cannot be cleaned and given back without it. */
  readonly isNeeded: boolean;
  /** It is about the connection, so a captured tree has nothing to check. */
  readonly ofConnection?: true;
}

/** In the order in which they are made. */
export const bmcChecks = {
  name: { label: "Name", isNeeded: true, ofConnection: true },
  port: { label: "Port", isNeeded: true, ofConnection: true },
  tls: { label: "TLS", isNeeded: true, ofConnection: true },
  certificate: { label: "Certificate", isNeeded: true, ofConnection: true },
  service: { label: "Redfish service", isNeeded: true },
  signIn: { label: "Sign-in", isNeeded: true, ofConnection: true },
  system: { label: "System", isNeeded: true },
  rights: { label: "Rights of the account", isNeeded: true, ofConnection: true },
  time: { label: "Time", isNeeded: false, ofConnection: true },
  power: { label: "Power", isNeeded: true },
  boot: { label: "Network boot", isNeeded: true },
  storage: { label: "Drives", isNeeded: true },
  network: { label: "Network cards", isNeeded: false },
  eventLogs: { label: "Event logs", isNeeded: false },
  events: { label: "Event subscriptions", isNeeded: false },
  accounts: { label: "Accounts", isNeeded: false },
  bios: { label: "BIOS settings", isNeeded: false },
  biosDefaults: { label: "BIOS to defaults", isNeeded: false },
  secureBootKeys: { label: "Secure boot keys", isNeeded: false },
  drivesByBmc: { label: "Erase by the BMC", isNeeded: false },
  bmcRestart: { label: "Restart of the BMC", isNeeded: false },
  bmcDefaults: { label: "BMC to defaults", isNeeded: false },
  firmware: { label: "Firmware", isNeeded: false },
  components: { label: "Measurements of components", isNeeded: false },
} as const satisfies Record<string, CheckRow>;
export type BmcCheckName = keyof typeof bmcChecks;

export const bmcCheckNames = Object.keys(bmcChecks) as [BmcCheckName, ...BmcCheckName[]];

/** The checks of a captured tree, which has no connection. */
export const treeCheckNames: readonly BmcCheckName[] = bmcCheckNames.filter(
  (name) => !("ofConnection" in bmcChecks[name]),
);

/** Longest texts of a report, in characters: a BMC chooses parts of them. */
export const longestSays = 1_000;
export const longestTodo = 500;

export const bmcCheck = z
  .strictObject({
    check: z.enum(bmcCheckNames),
    status: z.enum(checkStatuses),
    /** The answer in words. */
    says: z.string().max(longestSays),
    /** What to do if it is not passed; null: nothing. */
    todo: z.string().max(longestTodo).nullable(),
  })
  .readonly();
export type BmcCheck = z.infer<typeof bmcCheck>;

/** The report of a test that could not begin, or that broke off by our own fault. Pure. */
export const noReport = (why: string): readonly BmcCheck[] =>
  bmcCheckNames.map((check, place) =>
    place === 0
      ? { check, status: "notKnown", says: why.slice(0, longestSays), todo: "Test again." }
      : {
          check,
          status: "notMade",
          says: `It needs ${bmcChecks.name.label}, which has not passed.`,
          todo: null,
        },
  );

export const bmcVerdicts = ["works", "doesNotWork", "notKnown"] as const;
export type BmcVerdict = (typeof bmcVerdicts)[number];

export const verdictWords: Readonly<Record<BmcVerdict, string>> = {
  works: "The BMC offers all that Reclaim needs.",
  doesNotWork: "Reclaim cannot work with this BMC as it is.",
  notKnown: "Whether Reclaim can work with this BMC is not known.",
};

export const statusWords: Readonly<Record<CheckStatus, string>> = {
  passed: "passed",
  failed: "failed",
  notOffered: "not offered",
  notKnown: "not known",
  notMade: "not made",
};

/** Works only if each check that a host needs has passed; a check that is missing has not. Pure. */
export function verdictOf(
  checks: readonly Pick<BmcCheck, "check" | "status">[],
  names: readonly BmcCheckName[] = bmcCheckNames,
): BmcVerdict {
  const needed = names
    .filter((name) => bmcChecks[name].isNeeded)
    .map((name) => checks.find(({ check }) => check === name)?.status);
  // A host cannot do without what the BMC does not offer.
  if (needed.some((status) => status === "failed" || status === "notOffered")) return "doesNotWork";
  return needed.every((status) => status === "passed") ? "works" : "notKnown";
}

export const statusTones = {
  passed: "good",
  failed: "failed",
  notOffered: "neutral",
  notKnown: "attention",
  notMade: "neutral",
} as const satisfies Record<CheckStatus, Tone>;

/** The report as plain text, one line per check, to be copied into a ticket. Pure. */
export const reportText = (head: string, checks: readonly BmcCheck[]): string =>
  [
    head,
    ...checks.map(
      ({ check, status, says, todo }) =>
        `${bmcChecks[check].label}: ${statusWords[status]}. ${says}${todo === null ? "" : ` ${todo}`}`,
    ),
  ].join("\n");
