"use client";
// One site's hosts by state, as one stacked bar; each part links to its hosts. Drawn with Recharts.
import { Bar, BarChart, XAxis, YAxis, type BarShapeProps } from "recharts";
import { Fitted } from "@/components/ui/charts/fitted";
import { formatCount } from "@/server/domain/numbers";
import type { SiteBar } from "@/components/fleet/charts/site-bars";

const siteBarPx = 38;
const barPx = 16;
/** Gap between two parts. */
const gapPx = 1;
/** Parts narrower than this have no number below them. */
const labelPx = 18;

/** `largest` is the end of the axis, so that all sites share one scale. */
export default function SiteBarChart({ site, largest }: { site: SiteBar; largest: number }) {
  const counts = Object.fromEntries(site.parts.map(({ words, count }) => [words, count]));
  return (
    <Fitted heightPx={siteBarPx} firstWidthPx={570}>
      <BarChart
        layout="vertical"
        data={[counts]}
        margin={{ top: 0, right: 0, bottom: siteBarPx - barPx, left: 0 }}
        barCategoryGap={0}
        accessibilityLayer={false}
      >
        <XAxis type="number" hide domain={[0, largest]} />
        <YAxis type="category" hide />
        {site.parts.map((part) => (
          <Bar
            key={part.words}
            dataKey={part.words}
            stackId="hosts"
            barSize={barPx}
            isAnimationActive={false}
            shape={(bar: BarShapeProps) => <Part bar={bar} part={part} siteName={site.name} />}
          />
        ))}
      </BarChart>
    </Fitted>
  );
}

interface PartProps {
  bar: BarShapeProps;
  part: SiteBar["parts"][number];
  siteName: string;
}

function Part({ bar: { x, y, width, height }, part, siteName }: PartProps) {
  const look =
    part.look === "ready"
      ? { className: "fill-pale" }
      : part.look === "provider"
        ? { className: "off" }
        : { className: "fill-tone", "data-tone": part.look };
  return (
    <a href={part.href}>
      <title>{`${part.count} ${part.words}, site ${siteName}`}</title>
      <rect {...look} x={x} y={y} width={Math.max(1, width - gapPx)} height={height} />
      {width < labelPx ? null : (
        <text x={x} y={y + height + 15} aria-hidden="true">
          {formatCount(part.count)}
        </text>
      )}
    </a>
  );
}
