// A network controller acknowledges the network of one interface of a host (docs/api.md#the-network-controllers-side).
import { z } from "zod";
import { storeAcknowledgement } from "@/server/db/hot/hardware/network-acknowledgement";
import type {
  AcknowledgementQuestion,
  AcknowledgementRow,
} from "@/server/db/hot/hardware/network-acknowledgement";
import { tokenHash } from "@/server/domain/access/tokens";
import { networkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { NetworkAcknowledgement } from "@/server/domain/hosts/network/network-protocol";
import { wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import type { HotPool } from "@/server/usecases/backend";

export interface Acknowledged {
  /** The adapter that acknowledges, and its site's host. */
  readonly adapter: string;
  readonly hostId: string | null;
  /** `foreign`: no such host at the adapter's site. `stale`: a different version, configuration or interface is wanted. */
  readonly verdict: "stored" | "foreign" | "stale";
}

/** An acknowledgement may arrive before the response to our own request, which has the digest; it is then computed from the request. */
async function store(
  pool: HotPool,
  question: Omit<AcknowledgementQuestion, "computed">,
): Promise<AcknowledgementRow | undefined> {
  const row = await storeAcknowledgement(pool, { ...question, computed: null });
  if (row?.verdict !== "unhashed") return row;
  return storeAcknowledgement(pool, {
    ...question,
    computed: wantedDigest(networkWanted.parse(row.wanted)),
  });
}

const hostId = z.guid();

/** @param ack null if the body is not valid, so that only the token is checked. Null for an unknown token. */
export async function acknowledgeNetwork(
  pool: HotPool,
  token: string,
  ack: NetworkAcknowledgement | null,
): Promise<Acknowledged | null> {
  const row = await store(pool, {
    token: tokenHash(token).toString("hex"),
    host_id: ack !== null && hostId.safeParse(ack.host).success ? ack.host : null,
    interface: ack?.interface ?? "",
    version: ack?.version ?? 0,
    sha256: ack?.sha256 ?? "",
    extension_services: ack?.extensionServices ?? "",
  });
  if (row === undefined) return null;
  const { adapter, site_id: siteId, verdict } = row;
  return {
    adapter: `${adapter}/${siteId}`,
    hostId: row.host_id,
    verdict: verdict === "unhashed" ? "stale" : verdict,
  };
}
