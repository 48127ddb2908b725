// The pages below those of the rail, shared by their tabs, the palette and the keyboard.
import type { Right } from "@/server/domain/access/access";
import { pages, routes, type PageName } from "@/server/domain/console/routes";

export interface Subpage {
  readonly href: string;
  readonly words: string;
  /** Pressed after `g`; left out if a page of the rail has it. */
  readonly key?: string;
  /** Needed in addition to the right of the page above it. */
  readonly right?: Right;
}

export const cleaningPages: readonly Subpage[] = [
  { href: routes.cleaning.steps(), words: "Steps" },
  { href: routes.cleaning.runbooks(), words: "Runbooks", key: "b" },
  { href: routes.cleaning.manual(), words: "Manual cleaning", key: "m", right: "host.clean" },
  { href: routes.cleaning.queue(), words: "Queue", key: "q" },
  { href: routes.cleaning.images(), words: "Agent images", key: "a" },
  { href: routes.cleaning.runs(), words: "Runs", key: "r" },
  { href: routes.cleaning.failures(), words: "Failures", key: "l" },
];

export const settingsPages: readonly Subpage[] = [
  { href: routes.settings.site(), words: "Site" },
  { href: routes.settings.policy(), words: "Policy", key: "p" },
  { href: routes.settings.erase(), words: "Erase policy", key: "w" },
  { href: routes.settings.procedures(), words: "Procedures", key: "P" },
  { href: routes.settings.tenants(), words: "Tenants", key: "t" },
  { href: routes.settings.healthSources(), words: "Health sources", key: "0" },
  { href: routes.settings.repairSystems(), words: "Repair systems", key: "9" },
  { href: routes.settings.webhooks(), words: "Webhooks", key: "W", right: "webhook.read" },
  { href: routes.settings.history(), words: "History", key: "y" },
  { href: routes.settings.users(), words: "Users", key: "u", right: "person.read" },
  { href: routes.settings.tokens(), words: "Tokens", key: "o", right: "person.read" },
  { href: routes.settings.sessions(), words: "Sessions", key: "v", right: "person.read" },
];

const hostPages: readonly Subpage[] = [
  { href: routes.enrolments.create(), words: "Enrol hosts", key: "n", right: "host.enroll" },
  { href: routes.enrolments.list(), words: "Enrolments", key: "e" },
  { href: routes.gone.list(), words: "Removed hosts", key: "x" },
  { href: routes.drives.list(), words: "Drives", key: "z" },
  { href: routes.drives.models(), words: "Drive models", key: "j" },
  { href: routes.firmware(), words: "Firmware", key: "B" },
  { href: routes.measuredBoot(), words: "Measured boot", key: "M", right: "site.read" },
];

const below: Partial<Record<PageName, readonly Subpage[]>> = {
  hosts: hostPages,
  cleaning: cleaningPages,
  settings: settingsPages,
};

/** Where `g` and a key lead; also listed in the palette. */
export interface Place {
  readonly href: string;
  readonly words: string;
  readonly key: string;
}

/** All pages that a person may open, those of the rail first. @param may whether the person has a right. Pure. */
export function placesOf(shown: readonly PageName[], may: (right: Right) => boolean): readonly Place[] {
  const rail = shown.map((name): Place => pages[name]);
  const subpages = shown.flatMap((name) =>
    (below[name] ?? []).flatMap(({ href, words, key, right }): Place[] =>
      key === undefined || (right !== undefined && !may(right))
        ? []
        : [{ href, words: `${pages[name].words}: ${words}`, key }],
    ),
  );
  return [
    ...rail,
    ...subpages,
    { href: routes.account(), words: "Account", key: "d" },
    { href: routes.help(), words: "Help", key: "H" },
  ];
}
