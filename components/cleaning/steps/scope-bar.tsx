"use client";
// Chooses what the catalogue is for: a site, a SKU, a hardware type, or one host by name.
import { useState } from "react";
import { formatCounted } from "@/components/ui/format/numbers";
import { Menu, MenuChoice, MenuLabel, MenuRule } from "@/components/ui/menu";
import { SearchField } from "@/components/ui/search-field";
import type { CatalogueSubject, CleaningScopes } from "@/server/surfaces/trpc/types";
import type { StepsView } from "@/components/cleaning/steps/steps-view";

const kindText = {
  site: "Site",
  sku: "SKU",
  host: "Host",
  hardwareType: "Hardware type",
} as const satisfies Record<CatalogueSubject["kind"], string>;

interface ScopeBarProps {
  scopes: CleaningScopes;
  subject: CatalogueSubject;
  onChoose: (view: StepsView) => void;
}

/** "site a", "SKU R750 at site a", "host gpu-a-001", "hardware redfish". */
export function formatSubject({ kind, name, site }: CatalogueSubject): string {
  const at = site === null || kind === "site" ? "" : ` at site ${site.name}`;
  return `${kind === "hardwareType" ? "hardware" : kind === "sku" ? "SKU" : kind} ${name}${at}`;
}

export function ScopeBar({ scopes, subject, onChoose }: ScopeBarProps) {
  const [host, setHost] = useState("");
  const siteId = subject.site?.id;
  const site = siteId === undefined ? {} : { siteId };
  const words = (name: string, hosts: number) => `${name}, ${formatCounted(hosts, "host")}`;
  return (
    <search className="filter scope">
      <Menu
        align="start"
        trigger={
          <button type="button" className="btn" aria-label={`Catalogue of: ${formatSubject(subject)}`}>
            {kindText[subject.kind]} {subject.name}
          </button>
        }
      >
        <MenuLabel>Site</MenuLabel>
        <MenuChoice
          label="Site"
          value={subject.kind === "site" ? subject.id : ""}
          choices={scopes.sites.map(({ id, name, hosts }) => ({ value: id, words: words(name, hosts) }))}
          onChoose={(id) => onChoose({ kind: "site", siteId: id })}
        />
        <MenuRule />
        <MenuLabel>SKU</MenuLabel>
        <MenuChoice
          label="SKU"
          value={subject.kind === "sku" ? subject.id : ""}
          choices={scopes.skus.map(({ id, name, hosts }) => ({ value: id, words: words(name, hosts) }))}
          onChoose={(id) => onChoose({ kind: "sku", skuId: id, ...site })}
        />
        <MenuRule />
        <MenuLabel>Hardware type</MenuLabel>
        <MenuChoice
          label="Hardware type"
          value={subject.kind === "hardwareType" ? subject.name : ""}
          choices={scopes.hardwareTypes.map(({ name, hosts }) => ({
            value: name,
            words: words(name, hosts),
          }))}
          onChoose={(hardwareType) => onChoose({ kind: "hardwareType", hardwareType, ...site })}
        />
      </Menu>
      <SearchField
        label="Catalogue of a host"
        value={host}
        onChange={setHost}
        onSubmit={() => (host.trim() === "" ? undefined : onChoose({ kind: "host", host: host.trim() }))}
        placeholder="or enter a host name"
      />
    </search>
  );
}
