// Why hosts of an enrolment stopped, in full; a table cell has room for the beginning only.
import Link from "next/link";
import { formatCounted } from "@/components/ui/format/numbers";
import { Mark } from "@/components/ui/mark";
import { routes } from "@/server/domain/console/routes";
import type { EnrolmentView } from "@/server/surfaces/trpc/types";

type Reason = EnrolmentView["reasons"][number];

const whoText = ({ name, hosts }: Reason): string =>
  hosts === 1 ? name : `${name} and ${formatCounted(hosts - 1, "more host")}`;

/** Messages from programs come without a full stop. */
const sentence = (words: string): string => words.replace(/[.\s]*$/, ".");

export function StopReasons({ reasons }: Pick<EnrolmentView, "reasons">) {
  if (reasons.length === 0) return null;
  return (
    <ul className="stop-reasons" aria-label="Why hosts stopped">
      {reasons.map((reason) => (
        <li key={reason.name}>
          <Mark tone="failed" label="" />
          <span>
            <b className="text-medium">{whoText(reason)}</b>: {sentence(reason.says)}{" "}
            <span className="text-quiet">{reason.advice}</span>
            {reason.acts.includes("assignSku") ? (
              <>
                {" "}
                <Link className="link" href={routes.skus()}>
                  Open SKUs
                </Link>
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
