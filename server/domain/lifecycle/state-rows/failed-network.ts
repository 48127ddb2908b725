// Failed/Network…: failures of the site's network controller.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const failedNetworkRows = {
  "Failed/NetworkReconfigTimeout": {
    tone: "failed",
    label: "Failed, NetworkReconfigTimeout",
    waitsFor: "A person",
    checkNext:
      "Check the interfaces that did not acknowledge, then retry; the instance has ended and its ports are quarantined",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/NetworkNotConfigured": {
    tone: "failed",
    label: "Failed, NetworkNotConfigured",
    waitsFor: "A person",
    checkNext: "Give the address and the token of the network controller in the site's settings, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/NetworkRefused": {
    tone: "failed",
    label: "Failed, NetworkRefused",
    waitsFor: "A person",
    checkNext:
      "Check the address and the token of the network controller in the site's settings, and whether it knows this host's interfaces; then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/NetworkUnreachable": {
    tone: "failed",
    label: "Failed, NetworkUnreachable",
    waitsFor: "A person",
    checkNext:
      "Check whether the network controller is running and responds at the address in the site's settings; then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/NetworkTimeout": {
    tone: "failed",
    label: "Failed, NetworkTimeout",
    waitsFor: "A person",
    checkNext:
      "Check the interfaces that the message names: the controller accepted the request, and they did not acknowledge it. Then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
} as const satisfies Partial<Record<State, StateRow>>;
