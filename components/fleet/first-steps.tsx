"use client";
// Shown before there are any figures: the way from an empty site to the first host in a tenant's hands.
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

const steps = [
  {
    href: routes.settings.site(),
    words: "Site settings",
    what: "Set the network controller that switches the hosts, and the networks they boot from.",
  },
  {
    href: routes.settings.policy(),
    words: "Policy",
    what: "What the site requires before a host is Ready. Gates that Reclaim cannot check yet hold every host until they are off.",
  },
  {
    href: routes.enrolments.create({ by: "list" }),
    words: "Enrol hosts",
    what: "Reclaim reads their BMCs and cleans them.",
  },
  {
    href: routes.skus(),
    words: "SKUs",
    what: "Create one per kind of host, from a sample host. Matching hosts get it automatically.",
  },
  {
    href: routes.settings.tenants(),
    words: "Tenants",
    what: "Each has a quota, and users who create instances.",
  },
] as const;

/** Empty for users who may not enrol hosts. */
export function FirstSteps() {
  const { role } = useMe();
  if (reachOf(role, "host.enroll") !== "any") return null;
  return (
    <section className="first-steps" aria-label="First steps">
      <h2>First steps</h2>
      <p>No host is enrolled yet. To give a tenant its first host:</p>
      <ol>
        {steps.map(({ href, words, what }) => (
          <li key={href}>
            <Link className="link" href={href}>
              {words}
            </Link>{" "}
            <span className="text-quiet">{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
