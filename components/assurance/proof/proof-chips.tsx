"use client";
// The filters of the proof desk as chips: each opens a menu, and a set one can be removed.
import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/frame/me";
import { recentMonths } from "@/components/assurance/proof/proof-selection";
import type { ProofSelection } from "@/components/assurance/proof/proof-selection";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useNow } from "@/components/ui/time/clock";
import { standings, standingText } from "@/server/domain/assurance/standing";
import { returnKinds, returnKindText } from "@/server/domain/assurance/proof/kinds";
import { monthText } from "@/server/domain/assurance/proof/month";

type Name = "tenant" | "month" | "site" | "sku" | "standing" | "kind";
type Change = Partial<Record<Name, string | undefined>> & { readonly exception?: boolean | undefined };

interface Choice {
  readonly value: string;
  readonly words: string;
}

interface ChipProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string | undefined) => void;
}

function Chip({ label, value, choices, onChoose }: ChipProps) {
  const chosen = choices.find((choice) => choice.value === value)?.words ?? value;
  return (
    <span className={`chip${value === undefined ? "" : " set"}`}>
      <Menu
        align="start"
        trigger={
          <button type="button">
            {label}
            {chosen === undefined ? null : <b> {chosen}</b>}
          </button>
        }
      >
        {choices.length === 0 ? <span className="label">Nothing to choose from</span> : null}
        <MenuChoice label={label} value={value ?? ""} choices={choices} onChoose={onChoose} />
      </Menu>
      {value === undefined ? null : (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => onChoose(undefined)}>
          ×
        </button>
      )}
    </span>
  );
}

const same = (values: readonly string[] | undefined): readonly Choice[] =>
  (values ?? []).map((value) => ({ value, words: value }));

interface ChipsProps {
  readonly selection: ProofSelection;
  readonly onChange: (change: Change) => void;
  readonly onClear: () => void;
}

export function ProofChips({ selection, onChange, onClear }: ChipsProps) {
  const trpc = useTRPC();
  const isTenant = useMe().tenant !== null;
  const values = useQuery({ ...trpc.hosts.filterValues.queryOptions(), enabled: !isTenant });
  const nowMs = useNow();
  const { tenant, month, site, sku, standing, kind, exception } = selection;
  const set = (name: Name) => (value: string | undefined) => onChange({ [name]: value });
  const isSet = [tenant, month, site, sku, standing, kind, exception].some((value) => value !== undefined);
  return (
    <div className="chips" role="group" aria-label="Filters">
      {isTenant ? null : (
        <Chip label="Tenant" value={tenant} choices={same(values.data?.tenant)} onChoose={set("tenant")} />
      )}
      <Chip
        label="Month"
        value={month}
        choices={recentMonths(nowMs).map((value) => ({ value, words: monthText(value) }))}
        onChoose={set("month")}
      />
      {isTenant ? null : (
        <>
          <Chip label="Site" value={site} choices={same(values.data?.site)} onChoose={set("site")} />
          <Chip label="SKU" value={sku} choices={same(values.data?.sku)} onChoose={set("sku")} />
        </>
      )}
      <Chip
        label="Standing"
        value={standing}
        choices={standings.map((value) => ({ value, words: standingText[value] }))}
        onChoose={set("standing")}
      />
      <Chip
        label="Cause"
        value={kind}
        choices={returnKinds.map((value) => ({ value, words: returnKindText[value] }))}
        onChoose={set("kind")}
      />
      <Chip
        label="Exception"
        value={exception === undefined ? undefined : String(exception)}
        choices={[
          { value: "true", words: "With an exception" },
          { value: "false", words: "Without" },
        ]}
        onChoose={(value) => onChange({ exception: value === undefined ? undefined : value === "true" })}
      />
      {isSet || selection.text !== "" ? (
        <Button kind="plain" small onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}
