"use client";
// The head of every page of cleaning: its name and the pages beside it.
import { TabbedHead, type HeadProps } from "@/components/frame/tabbed-head";
import { cleaningPages } from "@/server/domain/console/subpages";

export const CleaningHead = (props: HeadProps) => (
  <TabbedHead title="Cleaning" pages={cleaningPages} {...props} />
);
