// The test machine's site and SKU, as documents.

/** QEMU's drives do not support Sanitize, and its site is asked for no more than they can do (`reclaim policy erase --preset clear`). */
const common = (/** @type {string} */ networkUrl) => `format: 1
site: a
networkController:
  url: ${networkUrl}
  token: { fromFile: network.token }
  acknowledgementToken: { fromFile: network.token }
policy:
  provisioningNetworks: [loopback]
  times: { agentSilenceMs: 40000, agentFreshMs: 35000 }
  attempts: { agent: 3, controller: 5 }
  sanitization:
    excludedMedia: [{ reason: service stick without a tenant's data }]
`;

const withoutPeople = `  requires: { platformAtBaseline: false, deviceMemoryCleared: false, attestationPassed: false, healthy: false, assuranceSigned: false }
`;

/** Every gate is required, as by default. No program is known that clears a display controller of ATI, so it is drained. */
const withPeople = `  attestation: required
  procedures:
    - name: full-ac-drain
      version: 1
      title: Full AC drain
      checklist: [{ text: The machine has no power }, { text: Seconds without power, answer: text }]
      when: { skus: [bed] }
`;

/**
 * @param {{ networkUrl: string, ironicUrl?: string | undefined, requiresAll: boolean }} wanted `ironicUrl`: of an image with Ironic's agent
 */
export const siteDocument = ({ networkUrl, ironicUrl, requiresAll }) =>
  [
    common(networkUrl),
    requiresAll ? withPeople : withoutPeople,
    ironicUrl === undefined ? "" : `agentImage: { version: ironic, url: "${ironicUrl}", kind: ironic }\n`,
  ].join("");

/**
 * The SKU of a site that requires all gates is there before its machine: a plan for a host without a baseline does not clear the TPM.
 * @param {{ firmwareVersion: string, bmcVersion: string, drives: readonly { media: string, count: number, bytes: number }[] }} of
 */
export const skuDocument = ({ firmwareVersion, bmcVersion, drives }) => `components:
  manufacturer: Example
  product: TestBed
  cpus: { count: 1, model: "QEMU TCG CPU version 2.5+" }
  memoryBytes: "2147483648"
  infiniband: 0
  storage:
${drives.map(({ media, count, bytes }) => `    - { media: ${media}, count: ${count}, capacityBytes: "${bytes}" }`).join("\n")}
  baseline:
    firmware:
      - { component: BIOS, version: "${firmwareVersion}" }
      - { component: BMC, version: "${bmcVersion}" }
    bmc: { accounts: [], subscriptions: [] }
`;
