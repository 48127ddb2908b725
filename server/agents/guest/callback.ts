// Where Ironic's agent may receive commands: at the address that it calls from, over TLS, and nowhere else that this server could reach.
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import { plainAddress } from "@/server/agents/plain-address";

/** Why a callback URL is refused; null: it is accepted. `from`: the address that the heartbeat came from. `networks`: the site's, as stored. */
export function callbackRefusal(callbackUrl: string, from: string, networks: unknown): string | null {
  let url: URL;
  try {
    url = new URL(callbackUrl);
  } catch {
    return "callback_url is not a URL";
  }
  // safety: guest: commands go over TLS
  if (url.protocol !== "https:")
    return "callback_url must be https: the agent makes its own certificate (enable_auto_tls)";
  if (
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== "" ||
    url.pathname !== "/"
  )
    return "callback_url must be a scheme, an address and a port";
  const address = plainAddress(url.hostname);
  // A name could resolve to another address in each call.
  if (address === null) return "callback_url must have an IP address";
  // safety: guest: commands go to the provisioning networks only
  if (!isProvisioningAddress(address, networks))
    return "callback_url is outside the site's provisioning networks";
  // safety: guest: commands go to where the heartbeat came from
  if (address !== plainAddress(from))
    return "callback_url must have the address that the heartbeat comes from";
  return null;
}
