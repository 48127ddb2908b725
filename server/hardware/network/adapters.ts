// The network adapters of a process: one per version of a site's network settings.
import type { NetworkSite } from "@/server/domain/hosts/network/controller-answer";
import type { TlsTrust } from "@/server/hardware/http/connect";
import { networkWebhook, type NetworkWebhook } from "@/server/hardware/network/webhook";

/** @param networks private networks, or `loopback`, in which network controllers may be */
export function networkAdapters(networks: readonly string[]) {
  const webhooks = new Map<string, NetworkWebhook>();
  const of = ({ siteId, url, token, authorities }: NetworkSite): NetworkWebhook => {
    const key = JSON.stringify([siteId, url, token, authorities]);
    const tls: TlsTrust = authorities === null ? { kind: "system" } : { kind: "authority", ca: authorities };
    const known = webhooks.get(key) ?? networkWebhook({ url, token, networks, tls });
    webhooks.set(key, known);
    return known;
  };
  const close = () => Promise.all([...webhooks.values()].map((webhook) => webhook.close()));
  return { of, close };
}
