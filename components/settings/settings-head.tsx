"use client";
// The head of every page of settings: its name, the pages beside it, and which site it is about.
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Tabs } from "@/components/ui/tabs";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import type { Right } from "@/server/domain/access/access";
import { isBelow, routes } from "@/server/domain/console/routes";

const settingsPages = [
  { href: routes.settings.site(), words: "Site" },
  { href: routes.settings.policy(), words: "Policy" },
  { href: routes.settings.erase(), words: "Erase policy" },
  { href: routes.skus(), words: "SKUs" },
  { href: routes.settings.tenants(), words: "Tenants" },
  { href: routes.cleaning.images(), words: "Agent images" },
  { href: routes.settings.history(), words: "History" },
  { href: routes.settings.users(), words: "Users", right: "person.read" },
  { href: routes.settings.tokens(), words: "Tokens", right: "person.read" },
  { href: routes.settings.sessions(), words: "Sessions", right: "person.read" },
] as const satisfies readonly { href: string; words: string; right?: Right }[];

const isOn = (href: string, path: string) =>
  href === routes.settings.site() ? path === href : isBelow(href, path);

/** `what` sums the page up; `acts` are its buttons. */
export function SettingsHead({ what, acts }: { what: ReactNode; acts?: ReactNode }) {
  const path = usePathname();
  const { role } = useMe();
  const shown = settingsPages.filter((page) => !("right" in page) || reachOf(role, page.right) === "any");
  return (
    <>
      <div className="head">
        <h1>Settings</h1>
        <span className="what">{what}</span>
        {acts === undefined ? null : <div className="acts">{acts}</div>}
      </div>
      <Tabs
        label="Settings"
        tabs={shown.map(({ href, words }) => ({ href, words, current: isOn(href, path) }))}
      />
    </>
  );
}

interface SiteChoiceProps {
  readonly sites: readonly { readonly name: string }[];
  readonly chosen: string;
  readonly hrefOf: (query: { site: string }) => string;
}

/** Links to the same page of other sites; nothing where there is one site. */
export function SiteChoice({ sites, chosen, hrefOf }: SiteChoiceProps) {
  if (sites.length < 2) return null;
  return (
    <nav className="site-choice" aria-label="Sites">
      {sites.map(({ name }) => (
        <Link
          key={name}
          href={hrefOf({ site: name })}
          {...(name === chosen ? { "aria-current": "page" as const } : {})}
        >
          Site {name}
        </Link>
      ))}
    </nav>
  );
}
