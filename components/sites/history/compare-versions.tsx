"use client";
// The difference between two versions of a site, or between a version and the site as it is now.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Field, Select } from "@/components/ui/form/controls";
import { ChangeList } from "@/components/sites/change-list";

const now = "now";

interface CompareProps {
  readonly site: string;
  /** Versions are numbered from 1 without gaps. */
  readonly newest: number;
}

export function CompareVersions({ site, newest }: CompareProps) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState(now);
  const versions = Array.from({ length: newest }, (_, index) => String(newest - index)).map((value) => ({
    value,
    label: `version ${value}`,
  }));
  const choice = (
    label: string,
    value: string,
    first: { value: string; label: string },
    onChange: (value: string) => void,
  ) => (
    <Field label={label}>
      {(aria) => <Select aria={aria} value={value} options={[first, ...versions]} onChange={onChange} />}
    </Field>
  );
  return (
    <section aria-label="Compare versions">
      <div className="sec">
        <h2>Compare versions</h2>
      </div>
      <div className="compare-versions">
        {choice("From", from, { value: "", label: "choose a version" }, setFrom)}
        {choice("To", to, { value: now, label: "the site as it is now" }, setTo)}
      </div>
      {from === "" ? null : (
        <Difference site={site} from={Number(from)} to={to === now ? null : Number(to)} />
      )}
    </section>
  );
}

interface DifferenceProps {
  readonly site: string;
  readonly from: number;
  /** Null: the site as it is now. */
  readonly to: number | null;
}

function Difference({ site, from, to }: DifferenceProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.site.difference.queryOptions({ site, from, to }),
    retry: false,
  });
  if (error !== null)
    return (
      <ProblemNotice
        error={error}
        before="The versions could not be compared."
        onRetry={() => void refetch()}
      />
    );
  return data === undefined ? (
    <p role="status">Comparing…</p>
  ) : (
    <ChangeList
      caption={`From version ${from} to ${to === null ? "now" : `version ${to}`}`}
      changes={data.changes}
      none="The versions are the same."
    />
  );
}
