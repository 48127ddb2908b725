// Exceptions and drives of one return.
import Link from "next/link";
import { FullTime } from "@/components/assurance/proof/return-cells";
import { Mark } from "@/components/ui/mark";
import { formatCounted } from "@/components/ui/format/numbers";
import type { Tone } from "@/components/ui/tone";
import { routes } from "@/server/domain/console/routes";
import type { ReturnDrive, ReturnException } from "@/server/surfaces/trpc/types";

export function ReturnExceptions({
  exceptions,
  isTenant,
}: {
  readonly exceptions: readonly ReturnException[];
  readonly isTenant: boolean;
}) {
  if (exceptions.length === 0) return null;
  return (
    <>
      <h3>{formatCounted(exceptions.length, "exception")}</h3>
      {exceptions.map((each) => (
        <div key={`${each.gate} ${each.serial ?? ""}`} className="proof-exception">
          <p>
            <b>
              {each.gate}
              {each.serial === null ? "" : `, drive ${each.serial}`}
            </b>{" "}
            {each.meaning}.
          </p>
          {isTenant ? (
            <p>
              Two people of the provider decided it
              {each.decidedAt === null ? null : (
                <>
                  {" "}
                  on <FullTime at={each.decidedAt} />
                </>
              )}
              . Their reason stays with the provider.
            </p>
          ) : (
            <People each={each} />
          )}
          {each.until === null ? null : (
            <p className="text-quiet">
              Ends <FullTime at={each.until} />; then the host leaves allocation.
            </p>
          )}
        </div>
      ))}
    </>
  );
}

const People = ({
  each: { reason, measure, risk, askedBy, approvedBy },
}: {
  readonly each: ReturnException;
}) => (
  <>
    <p>{reason}</p>
    {measure === null || measure === "" ? null : <p className="text-quiet">Measure: {measure}</p>}
    {risk === null || risk === "" ? null : <p className="text-quiet">Remaining risk: {risk}</p>}
    {askedBy === null ? null : (
      <p>
        {askedBy.name} asked for it, <FullTime at={askedBy.at} />
      </p>
    )}
    {approvedBy === null ? null : (
      <p>
        {approvedBy.name} approved it, <FullTime at={approvedBy.at} />
      </p>
    )}
  </>
);

const results = {
  erased: { tone: "good", words: "erased and verified" },
  stated: { tone: "attention", words: "stated by a person" },
  missing: { tone: "failed", words: "missing" },
  notErased: { tone: "failed", words: "no verified erase" },
} as const satisfies Record<ReturnDrive["result"], { readonly tone: Tone; readonly words: string }>;

export function ReturnDrives({
  drives,
  isTenant,
}: {
  readonly drives: readonly ReturnDrive[];
  readonly isTenant: boolean;
}) {
  const erased = drives.filter(({ result }) => result === "erased").length;
  return (
    <>
      <h3>
        Drives, {erased} of {drives.length} erased
      </h3>
      {drives.length === 0 ? <p className="text-quiet">No drive is on record.</p> : null}
      <ul className="proof-drives">
        {drives.map(({ serial, model, slot, result, technique, level, readBack, at }) => (
          <li key={`${model} ${serial}`}>
            <Mark tone={results[result].tone} label="" />
            <span>
              {isTenant ? (
                <span className="mono">{serial}</span>
              ) : (
                <Link className="link mono" href={routes.drives.one(serial, { model })} prefetch={false}>
                  {serial}
                </Link>
              )}{" "}
              <span className="text-quiet">
                {[slot, model].filter((part) => part !== null && part !== "").join(", ")}
              </span>
              <br />
              {[results[result].words, technique, level, readBack].filter((part) => part !== null).join(", ")}
              {at === null ? null : (
                <>
                  {", "}
                  <FullTime at={at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
