"use client";
// The head of a group of pages: the title, a summary of the open page, its buttons, and tabs for the others.
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { Tabs } from "@/components/ui/tabs";
import { reachOf, type Right } from "@/server/domain/access/access";
import { isBelow } from "@/server/domain/console/routes";

export interface HeadProps {
  /** A summary of the page. */
  what: ReactNode;
  acts?: ReactNode;
}

interface TabbedHeadProps extends HeadProps {
  title: string;
  /** The first page's path is a prefix of the others. A page with a `right` is shown only to users who have it. */
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
