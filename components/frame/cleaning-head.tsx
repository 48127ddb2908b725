"use client";
// The shared head of the cleaning pages: the title and the tabs.
import { TabbedHead, type HeadProps } from "@/components/frame/tabbed-head";
import { cleaningPages } from "@/server/domain/console/subpages";

export const CleaningHead = (props: HeadProps) => (
  <TabbedHead title="Cleaning" pages={cleaningPages} {...props} />
);
