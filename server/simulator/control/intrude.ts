// What a tenant with root may leave on the BMC, over the machine's own interface to it: for tests and the demo.
import { z } from "zod";
import type { Places } from "@/server/simulator/bmc/platform/places";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const body = z.strictObject({ account: z.string().min(1).optional(), subscription: z.string().min(1).optional(), medium: z.string().min(1).optional() });

/** First of the numbers from 5 on whose slot this machine has not used: the captured trees keep their own accounts below. */
function freeSlot(host: SimulatedHost, collection: string): string {
  for (let number = 5; ; number += 1) {
    const path = `${collection}/${number}`;
    if (host.platform.accounts[path] == null) return path;
  }
}

/** Adds what is named, and says where; null when the body is none of it. */
export function intrude(host: SimulatedHost, places: Places, given: unknown): Readonly<Record<string, string>> | null {
  const wanted = body.safeParse(given);
  if (!wanted.success) return null;
  const { platform } = host;
  const { account, subscription, medium } = wanted.data;
  const left: Record<string, string> = {};
  if (account !== undefined && places.accounts !== null) {
    left["account"] = freeSlot(host, places.accounts);
    platform.accounts = { ...platform.accounts, [left["account"]]: { UserName: account, Enabled: true, RoleId: "Administrator" } };
  }
  if (subscription !== undefined && places.subscriptions !== null) {
    left["subscription"] = `${places.subscriptions}/left-${platform.number()}`;
    platform.subscriptions = { ...platform.subscriptions, [left["subscription"]]: subscription };
  }
  const [drive] = places.media.keys();
  if (medium !== undefined && drive !== undefined) {
    left["medium"] = drive;
    platform.media = { ...platform.media, [drive]: medium };
  }
  platform.changed();
  return left;
}
