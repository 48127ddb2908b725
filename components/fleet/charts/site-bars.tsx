"use client";
// Hosts by state, one stacked bar per site; each part links to its hosts.
import dynamic from "next/dynamic";
import { formatCount } from "@/server/domain/numbers";
import type { Tone } from "@/components/ui/tone";

export interface SiteBar {
  name: string;
  hosts: number;
  /** In drawing order; parts without hosts are left out. */
  parts: readonly { words: string; count: number; look: "ready" | "provider" | Tone; href: string }[];
  /** Text on the right: "4 over limit, 11 failed". */
  bad: string;
}

const SiteBarChart = dynamic(() => import("@/components/fleet/charts/site-bar-chart"), {
  ssr: false,
  loading: () => null,
});

const sum = (site: SiteBar) => site.parts.reduce((total, part) => total + part.count, 0);

/** All bars share the scale of the largest site. */
export function SiteBars({ sites }: { sites: readonly SiteBar[] }) {
  const largest = Math.max(1, ...sites.map(sum));
  return sites.map((site) => (
    <div
      key={site.name}
      className="chart site-bar"
      role="group"
      aria-label={`Site ${site.name}: ${sum(site)} of ${site.hosts} not in use, of which ${site.parts.map((part) => `${part.count} ${part.words}`).join(", ")}.`}
    >
      <p>
        <b className="text-medium">Site {site.name}</b>
        <span className="text-quiet">
          {formatCount(sum(site))} of {formatCount(site.hosts)} hosts
        </span>
        <b className="text-medium">{site.bad}</b>
      </p>
      <SiteBarChart site={site} largest={largest} />
    </div>
  ));
}
