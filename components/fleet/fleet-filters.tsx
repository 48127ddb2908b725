"use client";
// Selects a part of the fleet and a period; both are kept in the URL.
import { useRouter } from "next/navigation";
import { hoursLabels } from "@/components/fleet/fleet-view";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { fleetHours, type FleetFilter } from "@/server/domain/fleet/fleet-filter";
import { routes } from "@/server/domain/console/routes";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

/** "All": names of sites, SKUs and tenants are never empty. */
const every = "";

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  choices: readonly { readonly value: string; readonly words: string }[];
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, all, value, choices, onChoose }: ChoiceProps) {
  const shown = choices.find((choice) => choice.value === value)?.words ?? value ?? all;
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="btn" aria-label={`${label}: ${shown}`}>
          {shown}
        </button>
      }
    >
      <MenuChoice
        label={label}
        value={value ?? every}
        choices={[{ value: every, words: all }, ...choices]}
        onChoose={(chosen) => onChoose(chosen === every ? undefined : chosen)}
      />
    </Menu>
  );
}

const sameText = (names: readonly string[]) => names.map((name) => ({ value: name, words: name }));

export function FleetFilters({ view, choices }: { view: FleetFilter; choices: FleetSummary["choices"] }) {
  const router = useRouter();
  const go = (change: {
    site?: string | undefined;
    sku?: string | undefined;
    tenant?: string | undefined;
    hours?: number;
  }) => router.push(routes.fleet({ ...view, ...change }), { scroll: false });
  return (
    <search className="filter scope" aria-label="Filter the fleet">
      {choices.sites.length < 2 && view.site === undefined ? null : (
        <Choice
          label="Site"
          all="All sites"
          value={view.site}
          choices={sameText(choices.sites)}
          onChoose={(site) => go({ site })}
        />
      )}
      <Choice
        label="SKU"
        all="All SKUs"
        value={view.sku}
        choices={sameText(choices.skus)}
        onChoose={(sku) => go({ sku })}
      />
      <Choice
        label="Tenant"
        all="All tenants"
        value={view.tenant}
        choices={choices.tenants.map(({ org, name }) => ({ value: org, words: name }))}
        onChoose={(tenant) => go({ tenant })}
      />
      <Menu
        align="start"
        trigger={
          <button type="button" className="btn" aria-label={`Time: ${hoursLabels[view.hours]}`}>
            {hoursLabels[view.hours]}
          </button>
        }
      >
        <MenuChoice
          label="Time"
          value={String(view.hours)}
          choices={fleetHours.map((hours) => ({ value: String(hours), words: hoursLabels[hours] }))}
          onChoose={(hours) => go({ hours: Number(hours) })}
        />
      </Menu>
    </search>
  );
}
