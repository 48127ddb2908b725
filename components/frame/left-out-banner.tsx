"use client";
// Shown on every page while cleaning, or a step that erases, is left out somewhere: where, and what follows from it.
import Link from "next/link";
import { useNewestMe } from "@/components/frame/me";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { formatLeftOut } from "@/server/domain/assurance/left-out";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import type { Me } from "@/server/surfaces/trpc/types";

type Place = Me["leftOut"]["places"][number];

/** The steps page where it can be changed. */
function hrefOf({ scope, id, name }: Place): string {
  switch (scope) {
    case "site":
      return routes.cleaning.steps({ site: id });
    case "sku":
      return routes.cleaning.steps({ sku: id });
    case "host":
      return routes.cleaning.steps({ host: name ?? id });
  }
}

/** Empty while every host is cleaned, and for tenants. */
export function LeftOutBanner() {
  const { me } = useNewestMe();
  const { places, total } = me.leftOut;
  if (places.length === 0) return null;
  const more = total - places.length;
  return (
    <div className="stop-banner">
      <Notice tone="attention">
        <b>Cleaning is left out: </b>
        {places.map((place, index) => (
          <span key={`${place.id} ${place.steps.join(" ")}`}>
            {index === 0 ? "" : "; "}
            <Link className="link" href={hrefOf(place)}>
              {formatLeftOut(place)}
            </Link>
          </span>
        ))}
        {more === 0 ? "" : `; and in ${formatCounted(more, "more place")}`}. {leftOutMeaning}.
      </Notice>
    </div>
  );
}
