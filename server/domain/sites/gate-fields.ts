// Fields of the *Policy* page that affect what may become Ready: the required gates, and who may change them.
import type { SettingSection } from "@/server/domain/sites/setting-fields";

export const requirements: SettingSection = {
  title: "Required gates",
  summary: "Off: the gate is not required, which the record of each host says. On: it is checked",
  fields: [
    {
      path: "policy.requires.platformAtBaseline",
      label: "Platform at its baseline",
      hint: "TPM, BIOS, BMC and firmware, which a tenant with root can reach, are read after the last step. A host whose SKU has no baseline stops until somebody takes one from a reference host.",
    },
    {
      path: "policy.requires.deviceMemoryCleared",
      label: "Memory of devices",
      hint: "What a tenant left in a GPU's memory is cleared and looked for. Off: what cannot be proven is waived; content that is still there always stops a host.",
    },
    {
      path: "policy.requires.attestationPassed",
      label: "Measured boot",
      hint: "The boot that the other gates rest on is one that a bundle expects. Needs Attestation: required; with any other setting it holds every host of the site.",
    },
    {
      path: "policy.requires.healthy",
      label: "Health reports",
      hint: "Maintenance and an alert that prevents allocation keep a host out anyway.",
    },
    { path: "policy.requires.assuranceSigned", label: "Signed procedures" },
  ],
};

export const attestation: SettingSection = {
  title: "Attestation",
  summary: "whether the TPM of each host proves its identity, and what booted, in every boot of the agent",
  fields: [
    {
      path: "policy.attestation",
      label: "Attestation",
      hint: "off: no TPM is asked. observe: the results are recorded and shown on each host, and hold none. required: an agent gets no step, test or inspection before its boot matched an approved bundle; a host without a TPM stays where it is.",
    },
  ],
};

export const twoPeople: SettingSection = {
  title: "Two people",
  summary: "whether a change of this site is made at once, or when another provider admin has approved it",
  fields: [
    {
      path: "policy.changesNeedApproval",
      label: "Changes need approval",
      hint: "Applies to site settings, SKUs and new sites; not to tenants and BMC credentials. Switching it off needs approval, too.",
    },
  ],
};
