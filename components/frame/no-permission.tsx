// Shown in place of a page that this user may not see, with the roles that may.
import Link from "next/link";
import { Empty } from "@/components/ui/empty";
import type { Me } from "@/server/surfaces/trpc/types";
import { pages } from "@/server/domain/console/routes";

/** Reveals nothing of the page itself. */
export function NoPermission({ title, me }: { title: string; me: Me }) {
  const first = pages[me.pages[0] ?? "next"];
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
      </div>
      <Empty
        title={`${/^[aeiou]/i.test(me.roleWords) ? "An" : "A"} ${me.roleWords} cannot open this page`}
        act={
          <Link className="btn" href={first.href}>
            Go to {first.words}
          </Link>
        }
      >
        {me.tenant === null
          ? "Ask a provider admin for a role that can."
          : "It is for the provider only. Your machines, and their progress after release, are under Instances."}
      </Empty>
    </>
  );
}
