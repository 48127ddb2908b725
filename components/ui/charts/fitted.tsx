"use client";
// A chart as wide as its place. Recharts is imported here: only charts that are loaded with their page use it.
import type { ComponentProps } from "react";
import { ResponsiveContainer } from "recharts";

interface FittedProps {
  heightPx: number;
  /** The width that it is drawn with before its place is measured. */
  firstWidthPx: number;
  children: ComponentProps<typeof ResponsiveContainer>["children"];
}

export const Fitted = ({ heightPx, firstWidthPx, children }: FittedProps) => (
  <ResponsiveContainer
    width="100%"
    height={heightPx}
    initialDimension={{ width: firstWidthPx, height: heightPx }}
  >
    {children}
  </ResponsiveContainer>
);
