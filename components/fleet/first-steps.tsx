"use client";
// In front of figures that are all zero: the way from an empty site to the first host in a tenant's hands.
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

const steps = [
  {
    href: routes.settings.site(),
    words: "Site settings",
    what: "Which network controller switches the hosts, and from which networks they boot.",
  },
  {
    href: routes.settings.policy(),
    words: "Policy",
    what: "What the site requires before a host is Ready. Gates that Reclaim cannot check yet hold every host until they are off.",
  },
  {
    href: routes.enrolments.create({ by: "list" }),
    words: "Enrol hosts",
    what: "Their BMCs are read, and the hosts cleaned.",
  },
  {
    href: routes.skus(),
    words: "SKUs",
    what: "One of each kind of host, created from a host; like hosts follow by themselves.",
  },
  {
    href: routes.settings.tenants(),
    words: "Tenants",
    what: "With a quota, and users who create instances.",
  },
] as const;

/** Nothing for who only looks. */
export function FirstSteps() {
  const { role } = useMe();
  if (reachOf(role, "host.enroll") !== "any") return null;
  return (
    <section className="first-steps" aria-label="First steps">
      <h2>First steps</h2>
      <p>No host is enrolled yet. To the first host in a tenant&rsquo;s hands:</p>
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
