"use client";
// The head of every page of cleaning: its name and the pages beside it.
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Tabs } from "@/components/ui/tabs";

export const cleaningPages = [
  { href: "/cleaning", words: "Steps" },
  { href: "/cleaning/runbooks", words: "Runbooks" },
  { href: "/cleaning/manual", words: "Manual cleaning" },
  { href: "/cleaning/queue", words: "Queue" },
  { href: "/cleaning/images", words: "Agent images" },
  { href: "/cleaning/runs", words: "Runs" },
  { href: "/cleaning/failures", words: "Failures" },
] as const;

const isOn = (href: string, path: string) =>
  href === "/cleaning" ? path === href : path === href || path.startsWith(`${href}/`);

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
