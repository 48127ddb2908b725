// Hosts by state, one stacked bar per site; each part leads to the hosts behind it.
import { formatCount } from "@/components/ui/format/numbers";
import type { Tone } from "@/components/ui/tone";

export interface SiteBar {
  name: string;
  hosts: number;
  /** In the order in which they are drawn; those without hosts are left out. */
  parts: readonly { words: string; count: number; look: "ready" | "provider" | Tone; href: string }[];
  /** Said in plain words at the right: "4 over limit, 11 failed". */
  bad: string;
}

const sitePx = 62;
/** Share of the width that is left free between two parts, in percent. */
const gap = 0.18;
/** Below this share of the width the number under a part is left out. */
const labelShare = 3;

const rectLook = (look: SiteBar["parts"][number]["look"]) =>
  look === "ready"
    ? { className: "fill-pale" }
    : look === "provider"
      ? { className: "off" }
      : { className: "fill-tone", "data-tone": look };

/** All bars have the scale of the largest site. */
export function SiteBars({ sites }: { sites: readonly SiteBar[] }) {
  const largest = Math.max(1, ...sites.map((site) => sum(site)));
  const summary = sites
    .map(
      (site) =>
        `Site ${site.name}: ${sum(site)} of ${site.hosts} not in use, of which ${site.parts.map((part) => `${part.count} ${part.words}`).join(", ")}.`,
    )
    .join(" ");
  return (
    <div className="chart">
      <svg width="100%" height={sites.length * sitePx - 4} role="group" aria-label={summary}>
        {sites.map((site, index) => (
          <SiteRow key={site.name} site={site} y={index * sitePx} largest={largest} />
        ))}
      </svg>
    </div>
  );
}

const sum = (site: SiteBar) => site.parts.reduce((total, part) => total + part.count, 0);

function SiteRow({ site, y, largest }: { site: SiteBar; y: number; largest: number }) {
  const scale = (100 - gap * site.parts.length) / largest;
  const placed = site.parts.map((part, index) => ({
    part,
    width: part.count * scale,
    from: site.parts.slice(0, index).reduce((x, { count }) => x + count * scale + gap, 0),
  }));
  return (
    <>
      <text className="strong" x="0" y={y + 14}>
        Site {site.name}
        <tspan className="site-total" dx="12">
          {formatCount(sum(site))} of {formatCount(site.hosts)} hosts
        </tspan>
      </text>
      {placed.map(({ part, from, width }) => (
        <a key={part.words} href={part.href}>
          <title>{`${part.count} ${part.words}, site ${site.name}`}</title>
          <rect
            {...rectLook(part.look)}
            x={`${from.toFixed(2)}%`}
            y={y + 22}
            width={`${width.toFixed(2)}%`}
            height="16"
          />
          {width < labelShare ? null : (
            <text x={`${from.toFixed(2)}%`} y={y + 53} aria-hidden="true">
              {formatCount(part.count)}
            </text>
          )}
        </a>
      ))}
      <text className="strong" x="100%" textAnchor="end" y={y + 14}>
        {site.bad}
      </text>
    </>
  );
}
