"use client";
// The head of every page of cleaning: its name and the pages beside it.
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Tabs } from "@/components/ui/tabs";
import { isBelow, routes } from "@/server/domain/console/routes";

export const cleaningPages = [
  { href: routes.cleaning.steps(), words: "Steps" },
  { href: routes.cleaning.runbooks(), words: "Runbooks" },
  { href: routes.cleaning.manual(), words: "Manual cleaning" },
  { href: routes.cleaning.queue(), words: "Queue" },
  { href: routes.cleaning.images(), words: "Agent images" },
  { href: routes.cleaning.runs(), words: "Runs" },
  { href: routes.cleaning.failures(), words: "Failures" },
] as const;

const isOn = (href: string, path: string) =>
  href === routes.cleaning.steps() ? path === href : isBelow(href, path);

/** `what` sums the page up; `acts` are its buttons. */
export function CleaningHead({ what, acts }: { what: ReactNode; acts?: ReactNode }) {
  const path = usePathname();
  return (
    <>
      <div className="head">
        <h1>Cleaning</h1>
        <span className="what">{what}</span>
        {acts === undefined ? null : <div className="acts">{acts}</div>}
      </div>
      <Tabs
        label="Cleaning"
        tabs={cleaningPages.map(({ href, words }) => ({ href, words, current: isOn(href, path) }))}
      />
    </>
  );
}
