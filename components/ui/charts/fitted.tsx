"use client";
// A chart as wide as its container. Imports Recharts, so only lazily loaded charts may use it.
import type { ComponentProps } from "react";
import { ResponsiveContainer } from "recharts";

interface FittedProps {
  heightPx: number;
  /** The width used until the container is measured. */
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
