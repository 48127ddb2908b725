"use client";
// The head of pages that belong together: their name, what the open one is about, its buttons, and the pages beside it.
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { Tabs } from "@/components/ui/tabs";
import { reachOf, type Right } from "@/server/domain/access/access";
import { isBelow } from "@/server/domain/console/routes";

export interface HeadProps {
  /** Sums the page up. */
  what: ReactNode;
  /** Its buttons. */
  acts?: ReactNode;
}

interface TabbedHeadProps extends HeadProps {
  title: string;
  /** The first one's address is above all others. One with a right is there for who has it. */
  pages: readonly { readonly href: string; readonly words: string; readonly right?: Right }[];
}

export function TabbedHead({ title, pages, what, acts }: TabbedHeadProps) {
  const path = usePathname();
  const { role } = useMe();
  const shown = pages.filter(({ right }) => right === undefined || reachOf(role, right) === "any");
  const isOn = (href: string) => (href === pages[0]?.href ? path === href : isBelow(href, path));
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        <span className="what">{what}</span>
        {acts === undefined ? null : <div className="acts">{acts}</div>}
      </div>
      <Tabs label={title} tabs={shown.map(({ href, words }) => ({ href, words, current: isOn(href) }))} />
    </>
  );
}
